/// Every supported format. A new format is one file and one line here.
package let containers: [any Container] = [
  JPEGContainer(), TIFFContainer(), HEIFContainer(), CR3Container(), MovieContainer(),
  PNGContainer(), WebPContainer(), JXLContainer(), GIFContainer(), XMPFileContainer(),
  RAFContainer(), X3FContainer(), MRWContainer(), CRWContainer(), JPEG2000Container(),
]
