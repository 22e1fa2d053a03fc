import ArgumentParser
import MetaTag

/// `metatag set`: sets title, keywords, author, copyright, place names, camera, lens, exposure.
struct SetCommand: PhotoEditing {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Set title, keywords, author, copyright, place names, camera, lens, exposure.",
    usage: "metatag set <fields> [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag set --artist "Ada Lovelace" --copyright "© 2024 Ada Lovelace" *.JPG
        metatag set --title "The old jetty" --keywords sea,boats jetty.jpg
        metatag set --add-keyword Paris *.JPG
            existing keywords are kept
        metatag set --lens-model "Helios 44-2" --aperture 2 --focal-length 58 *.JPG
            a lens without electronics
        metatag set --city Vornbach --state Bavaria --country Germany *.JPG
            place names by hand; the coordinates stay as they are
        metatag set --artist "" *.JPG
            an empty value removes the field
        metatag set --set Exif.Photo.BodySerialNumber=123 *.JPG
        metatag set --remove Exif.Image.Software *.JPG
            any EXIF tag about camera, lens, exposure, scene or file, by its exiv2
            name, and Exif.Photo.UserComment; tags that describe how pixels are
            stored or where data is in the file are refused

      Fields that you don't name stay as they are. Values are written to EXIF, and
      updated in XMP and IPTC where those have the field; author, copyright and
      description are also added to existing XMP and IPTC. Title, keywords and place
      names have no EXIF field: they are written to XMP, which is added if
      necessary, and to IPTC if the photo has it. For dates and locations, see
      'metatag date' and 'metatag geotag'.
      """)

  @OptionGroup(title: "Fields") var fields: FieldOptions
  @OptionGroup(title: "Files") var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup(title: "Report", visibility: .shared) var output: OutputOptions

  /// A copy is not an acceptable substitute here.
  var fallback: Fallback { Fallback(.fail) }

  func planner(_ console: Console) throws -> any Planner {
    var planner = try fields.planner()
    planner.names[.countryCode] = try fields.place.codeChange(console: console)
    return planner
  }
}
