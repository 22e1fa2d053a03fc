import ArgumentParser
import MetaTag

struct SetCommand: PhotoEditing {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Write title, keywords, names of places, author, copyright, camera, lens and exposure.",
    usage: "metatag set <fields> [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag set --artist "Ada Lovelace" --copyright "© 2024 Ada Lovelace" *.JPG
        metatag set --title "The old jetty" --keywords sea,boats jetty.jpg
        metatag set --add-keyword Paris *.JPG
            the keywords that are there stay
        metatag set --lens-model "Helios 44-2" --aperture 2 --focal-length 58 *.JPG
            what a lens without electronics could not tell
        metatag set --city Vornbach --state Bavaria --country Germany *.JPG
            names of the place that you know; the position stays as it is, and
            names that aren't given stay
        metatag set --artist "" *.JPG
            an empty value removes a field; fields that aren't named stay
        metatag set --set Exif.Photo.BodySerialNumber=123 *.JPG
        metatag set --remove Exif.Image.Software *.JPG
            an EXIF tag of camera, lens, exposure, scene or file by exiv2's name for
            it, or Exif.Photo.UserComment; those that say how pixels are stored, how
            their colours are meant, or where others stand, are refused

      EXIF gets the value, and XMP and IPTC where they have the field. Author,
      copyright and description are added to XMP and IPTC that lack them, and XMP and
      IPTC are not made where there are none. Titles and keywords, for which EXIF has
      no place, are written to XMP (dc:title, dc:subject), which is made for them, and
      to IPTC where there is some, and so are names of places. Dates and positions
      have commands of their own.
      """)

  @OptionGroup(title: "Fields") var fields: FieldOptions
  @OptionGroup var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup var output: OutputOptions

  /// A copy beside a photo that can't be changed is not what was asked for.
  var fallback: Fallback { Fallback(.fail) }

  func planner(_ console: Console) throws -> any Planner {
    var planner = try fields.planner()
    planner.names[.countryCode] = try fields.place.codeChange(console: console)
    return planner
  }
}
