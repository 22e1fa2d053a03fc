// Re-exports the targets below, so that a client needs to import only this one.

@_exported public import Basics
