import MetaTag
