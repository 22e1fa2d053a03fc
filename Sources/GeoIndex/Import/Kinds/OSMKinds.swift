/// The tags of OpenStreetMap and their kinds. Named objects with other tags are not places.
enum OSMKinds {
  static let table = KindTable([
    (.country, "boundary=administrative+admin_level=2 place=country"),
    (.admin1, "boundary=administrative+admin_level=3 boundary=administrative+admin_level=4 place=state place=province"),
    (
      .admin2,
      "boundary=administrative+admin_level=5 boundary=administrative+admin_level=6 place=county place=district"
    ),
    (.capital, "place=city+capital=yes place=town+capital=yes boundary=administrative+capital=yes"),
    (
      .city,
      """
      place=city place=town place=village place=hamlet place=isolated_dwelling place=farm place=municipality
      boundary=administrative+admin_level=7 boundary=administrative+admin_level=8
      """
    ),
    (
      .quarter,
      """
      place=suburb place=quarter place=neighbourhood place=borough boundary=administrative+admin_level=9
      boundary=administrative+admin_level=10
      """
    ),
    (.postcode, "boundary=postal_code"),
    (.airport, "aeroway=aerodrome aeroway=heliport"),
    (
      .metro,
      """
      railway=station+station=subway railway=station+station=light_rail railway=station+station=monorail
      railway=tram_stop
      """
    ),
    (.station, "railway=station railway=halt amenity=bus_station public_transport=station"),
    (.ferry, "amenity=ferry_terminal landuse=harbour harbour=* leisure=marina landuse=port"),
    (.pass, "mountain_pass=yes natural=saddle natural=mountain_pass"),
    (.volcano, "natural=volcano"),
    (.peak, "natural=peak natural=hill natural=rock"),
    (.range, "natural=mountain_range natural=ridge natural=massif"),
    (.waterfall, "waterway=waterfall natural=waterfall"),
    (
      .river,
      "waterway=river waterway=canal waterway=stream waterway=riverbank natural=water+water=river natural=water+water=canal"
    ),
    (.lake, "natural=water landuse=reservoir water=lake water=lagoon water=reservoir"),
    (.island, "place=island place=islet place=archipelago natural=archipelago"),
    (.beach, "natural=beach leisure=beach_resort"),
    (.bay, "natural=bay natural=strait natural=fjord"),
    (.cape, "natural=cape natural=peninsula natural=isthmus"),
    (.desert, "natural=desert natural=dune"),
    (.cave, "natural=cave_entrance tourism=cave"),
    (
      .palace,
      """
      historic=castle+castle_type=palace historic=castle+castle_type=stately historic=castle+castle_type=manor
      historic=palace historic=manor building=palace
      """
    ),
    (.castle, "historic=castle historic=fort historic=fortress historic=citywalls building=castle"),
    (.mosque, "amenity=place_of_worship+religion=muslim building=mosque historic=mosque"),
    (.synagogue, "amenity=place_of_worship+religion=jewish building=synagogue historic=synagogue"),
    (
      .temple,
      """
      amenity=place_of_worship+religion=buddhist amenity=place_of_worship+religion=hindu
      amenity=place_of_worship+religion=shinto amenity=place_of_worship+religion=sikh
      amenity=place_of_worship+religion=taoist amenity=place_of_worship+religion=jain
      amenity=place_of_worship+religion=confucian building=temple building=shrine building=pagoda historic=temple
      """
    ),
    (
      .church,
      """
      amenity=place_of_worship+religion=christian amenity=monastery building=church building=cathedral
      building=chapel building=basilica building=monastery historic=church historic=monastery historic=chapel
      amenity=place_of_worship
      """
    ),
    (.museum, "tourism=museum tourism=gallery amenity=arts_centre"),
    (.zoo, "tourism=zoo tourism=aquarium"),
    (.themePark, "tourism=theme_park leisure=water_park"),
    (.garden, "leisure=garden"),
    (.stadium, "leisure=stadium building=stadium leisure=horse_racing leisure=ice_rink"),
    (.theatre, "amenity=theatre amenity=concert_hall amenity=cinema building=theatre"),
    (.university, "amenity=university amenity=college building=university"),
    (.library, "amenity=library amenity=archive"),
    (.bridge, "man_made=bridge bridge=viaduct bridge=aqueduct historic=bridge historic=aqueduct building=bridge"),
    (
      .tower,
      """
      man_made=tower man_made=lighthouse man_made=obelisk building=tower building=skyscraper historic=tower
      historic=city_gate historic=lighthouse tower:type=*
      """
    ),
    (.monument, "historic=monument historic=memorial historic=tomb historic=wayside_cross historic=wayside_shrine"),
    (.ruin, "historic=ruins historic=archaeological_site historic=archeological_site ruins=yes"),
    (.square, "place=square"),
    (.street, "amenity=marketplace highway=pedestrian highway=*+wikidata=* man_made=pier"),
    (
      .park,
      "boundary=national_park boundary=protected_area leisure=nature_reserve leisure=park natural=valley+wikidata=*"
    ),
    (.region, "natural=valley natural=gorge natural=plateau place=region place=continent"),
    (.hut, "tourism=alpine_hut tourism=wilderness_hut"),
    (
      .hotel,
      """
      tourism=hotel tourism=motel tourism=hostel tourism=guest_house tourism=apartment tourism=chalet
      tourism=camp_site tourism=caravan_site
      """
    ),
    (.restaurant, "amenity=restaurant amenity=bar amenity=pub amenity=biergarten amenity=fast_food amenity=food_court"),
    (.cafe, "amenity=cafe amenity=ice_cream shop=coffee"),
    (.landmark, "tourism=attraction tourism=viewpoint tourism=artwork historic=* heritage=*"),
    (
      .own,
      """
      amenity=* tourism=* leisure=* shop=* natural=* place=* man_made=* office=* craft=* healthcare=* club=*
      building=* landuse=* waterway=* water=* public_transport=* highway=bus_stop highway=rest_area
      highway=services aerialway=* aeroway=terminal aeroway=helipad railway=subway_entrance railway=miniature
      military=* geological=* sport=* spring=*
      """
    ),
  ])
}
