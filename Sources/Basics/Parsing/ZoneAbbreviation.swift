/// The abbreviations of time zones, which are not standardized: `IST` is the time of India, Ireland and Israel.
enum ZoneAbbreviation {
  /// The IANA names that each abbreviation can mean.
  static let names: [String: [String]] = Dictionary(
    uniqueKeysWithValues: table.split(separator: "\n").map { line in
      let words = line.split(separator: " ").map(String.init)
      return (words[0], Array(words.dropFirst()))
    })

  private static let table = """
    JST Asia/Tokyo
    KST Asia/Seoul
    CST America/Chicago Asia/Shanghai America/Havana
    CDT America/Chicago America/Havana
    CT America/Chicago
    CST6CDT America/Chicago
    EST America/New_York America/Panama
    EDT America/New_York
    ET America/New_York
    EST5EDT America/New_York
    MST America/Denver America/Phoenix
    MDT America/Denver
    MT America/Denver
    MST7MDT America/Denver
    PST America/Los_Angeles Asia/Manila
    PDT America/Los_Angeles
    PT America/Los_Angeles
    PST8PDT America/Los_Angeles
    AKST America/Anchorage
    AKDT America/Anchorage
    HST Pacific/Honolulu
    AST America/Halifax Asia/Riyadh
    ADT America/Halifax
    NST America/St_Johns
    NDT America/St_Johns
    BRT America/Sao_Paulo
    ART America/Argentina/Buenos_Aires
    CLT America/Santiago
    CLST America/Santiago
    PET America/Lima
    COT America/Bogota
    BST Europe/London Asia/Dhaka
    WET Europe/Lisbon
    WEST Europe/Lisbon
    CET Europe/Paris Europe/Berlin Europe/Rome
    CEST Europe/Paris Europe/Berlin Europe/Rome
    MET Europe/Paris Europe/Berlin Europe/Rome
    MEZ Europe/Berlin Europe/Vienna Europe/Zurich
    MESZ Europe/Berlin Europe/Vienna Europe/Zurich
    EET Europe/Athens Europe/Helsinki Europe/Kyiv
    EEST Europe/Athens Europe/Helsinki Europe/Kyiv
    MSK Europe/Moscow
    TRT Europe/Istanbul
    IST Asia/Kolkata Europe/Dublin Asia/Jerusalem
    IDT Asia/Jerusalem
    GST Asia/Dubai
    PKT Asia/Karachi
    NPT Asia/Kathmandu
    ICT Asia/Bangkok
    WIB Asia/Jakarta
    WITA Asia/Makassar
    SGT Asia/Singapore
    HKT Asia/Hong_Kong
    PHT Asia/Manila
    AWST Australia/Perth
    ACST Australia/Adelaide Australia/Darwin
    ACDT Australia/Adelaide
    AEST Australia/Sydney Australia/Brisbane
    AEDT Australia/Sydney
    NZST Pacific/Auckland
    NZDT Pacific/Auckland
    SAST Africa/Johannesburg
    WAT Africa/Lagos
    CAT Africa/Maputo
    EAT Africa/Nairobi
    """
}
