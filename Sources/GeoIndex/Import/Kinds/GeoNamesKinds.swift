/// The feature codes of GeoNames and their kinds. `*` means the other codes of a class.
enum GeoNamesKinds {
  static let table = KindTable([
    (.capital, "P.PPLC"),
    (.city, "P.PPLX P.*"),
    (.country, "A.PCL A.PCLD A.PCLF A.PCLI A.PCLIX A.PCLS A.TERR"),
    (.admin1, "A.ADM1"),
    (.admin2, "A.ADM2"),
    (
      .region,
      """
      A.* L.RGN L.RGNE L.RGNH L.RGNL L.AREA L.COLF L.VAL T.VAL T.VALS T.VALG T.VALX T.CNYN T.GRGE T.PLN T.PLAT T.UPLD
      T.DPR T.RVN T.DLTA
      """
    ),
    (.peak, "T.MT T.PK T.HLL T.SPUR T.RK T.CRTR T.BUTE T.MESA T.NTK T.KNBS"),
    (.range, "T.MTS T.PKS T.HLLS T.RDGE T.RKS T.NTKS"),
    (.volcano, "T.VLC"),
    (
      .lake,
      """
      H.LK H.LKC H.LKI H.LKN H.LKNI H.LKO H.LKOI H.LKS H.LKSB H.LKSC H.LKSI H.LKSN H.LKSNI H.LKX H.RSV H.RSVI H.LGN
      H.LGNS H.LGNX H.PND H.PNDI H.PNDN H.PNDNI H.PNDS H.PNDSI H.PNDSN
      """
    ),
    (
      .river,
      "H.STM H.STMA H.STMB H.STMC H.STMD H.STMH H.STMI H.STMIX H.STMM H.STMQ H.STMS H.STMSB H.STMX H.CNL H.CNLX H.RPDS"
    ),
    (.waterfall, "H.FLLS H.FLLSX"),
    (.island, "T.ISL T.ISLET T.ISLF T.ISLM T.ISLS T.ISLT T.ISLX T.ATOL"),
    (.beach, "T.BCH T.BCHS"),
    (.bay, "H.BAY H.BAYS H.BGHT H.CHN H.CHNM H.COVE H.ESTY H.FJD H.FJDS H.GULF H.INLT H.SD H.STRT H.SEA H.HBR"),
    (.cape, "T.CAPE T.HDLD T.PEN T.PENX T.PROM T.PT T.PTS T.SPIT T.ISTH"),
    (.desert, "T.DSRT T.ERG T.DUNE"),
    (.park, "L.PRK L.RES L.RESF L.RESN L.RESP L.RESW V.FRST V.FRSTF"),
    (.cave, "S.CAVE"),
    (.landmark, "S.OBPT S.HSTS S.FCL"),
    (.museum, "S.MUS"),
    (.castle, "S.CSTL S.FT"),
    (.palace, "S.PAL S.EST S.MNR"),
    (.church, "S.CH S.MSTY S.CVNT S.CTRR"),
    (.temple, "S.TMPL S.SHRN S.PGDA S.STPS"),
    (.mosque, "S.MSQE"),
    (.synagogue, "S.SYG"),
    (.monument, "S.MNMT S.TMB S.PYR S.PYRS"),
    (.ruin, "S.RUIN S.ANS P.PPLH P.PPLQ P.PPLW"),
    (.bridge, "S.BDG S.BDGQ S.AQC"),
    (.tower, "S.TOWR S.LTHSE S.GATE"),
    (.theatre, "S.THTR S.OPRA S.AMTH"),
    (.stadium, "S.STDM S.ATHF S.RECR"),
    (.themePark, "S.AMUS"),
    (.zoo, "S.ZOO"),
    (.garden, "S.GDN"),
    (.square, "S.SQR"),
    (.street, "R.ST R.PRMN S.MKT S.PIER"),
    (.university, "S.UNIV S.UNIP S.SCHC"),
    (.library, "S.LIBR"),
    (.station, "S.RSTN S.RSTNQ S.RSTP S.BUSTN"),
    (.metro, "S.MTRO"),
    (.ferry, "S.FY S.FYT H.DCK L.PRT S.MAR"),
    (.pass, "T.PASS T.GAP T.SDL"),
    (.airport, "S.AIRP S.AIRF S.AIRB S.AIRH"),
    (.hotel, "S.HTL S.RSRT S.GHSE S.INN"),
    (.restaurant, "S.REST"),
    (.cafe, "S.CAFE"),
    (.hut, "S.HUT S.HUTS S.RHSE"),
    (.own, "H.* L.* R.* S.* T.* U.* V.*"),
  ])
}
