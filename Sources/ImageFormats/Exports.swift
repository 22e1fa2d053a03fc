// Clients, and the files of this target, see the targets below by importing this one.

@_exported public import Basics
