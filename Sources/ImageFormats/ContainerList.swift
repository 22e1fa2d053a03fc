/// The containers of all supported formats. The first one that recognizes a file gets it.
package let containers: [any Container] = [
  JPEGContainer(), TIFFContainer(), HEIFContainer(), CR3Container(), MovieContainer(),
  PNGContainer(), WebPContainer(), JXLContainer(), GIFContainer(), XMPFileContainer(),
  RAFContainer(), X3FContainer(), MRWContainer(), CRWContainer(), JPEG2000Container(),
]
