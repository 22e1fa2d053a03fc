// Clients, and the files of this target, see the targets below by importing this one.

@_exported public import Basics
@_exported public import Decoding
@_exported public import ImageFormats
@_exported public import SafeWriting
@_exported public import SystemPackage
