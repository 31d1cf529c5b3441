/**
 * Papers of a staff and the containers that they belong in, all written for this. `placed` are there before; `asked`
 * are judged: `in` names every container that would be right, none where nothing fits. `trap` says what leads astray.
 */
export const CONTAINERS = [
  {
    id: "bridging",
    name: "Bridging equipment",
    description: "Pontoons, boats, ferries and spans: stock, state, moves",
  },
  { id: "ammunition", name: "Ammunition", description: "Rounds, shells, stocks and consumption" },
  { id: "medical", name: "Medical support", description: "Casualties, evacuation, field hospitals, hygiene" },
  { id: "weather", name: "Weather and water levels", description: "Forecasts, wind, rain, river gauges" },
  { id: "enemy", name: "Enemy situation", description: "Positions, strength and intentions of the opposing force" },
  {
    id: "civil",
    name: "Civilian population",
    description: "Evacuees, mayors, shelters, power and water supply of towns",
  },
  { id: "press", name: "Media and statements", description: "Journalists, releases, questions, rumours online" },
  { id: "law", name: "Legal advice", description: "Rules of engagement, claims, detention" },
];

interface Paper {
  text: string;
  in: string[];
  trap?: string;
}

export const PLACED: Paper[] = [
  {
    in: ["bridging"],
    text: "Fourteen pontoons are serviceable, two leak at the seam. The engineer company moves the ramp sections to the eastern bank by Thursday.",
  },
  {
    in: ["bridging"],
    text: "The ribbon bridge needs nine interior bays for a gap of sixty metres. Spare coupling pins are to be drawn from the depot.",
  },
  {
    in: ["bridging"],
    text: "Assault boats: twenty on hand, outboard motors for sixteen. Crews train night crossings with dimmed markers.",
  },
  {
    in: ["bridging", "weather"],
    text: "At a current above two metres a second the ferry may not load tracked vehicles. The gauge upstream gives six hours of warning.",
  },
  {
    in: ["ammunition"],
    text: "Daily consumption of the howitzers was 310 rounds; the basic load is restored by convoy tonight. Fuzes are short.",
  },
  {
    in: ["ammunition"],
    text: "The forward supply point holds mortar bombs for two days of fire. Lot 77 is banned after three misfires.",
  },
  {
    in: ["ammunition"],
    text: "Tank main gun rounds are rationed to twelve a vehicle until the train arrives at the railhead.",
  },
  {
    in: ["medical"],
    text: "The role two facility moves to the school; six surgeons, twenty beds. Helicopters land on the sports field.",
  },
  {
    in: ["medical"],
    text: "Diarrhoea among the drivers: water points are chlorinated again and cooks are examined by the hygiene team.",
  },
  {
    in: ["medical"],
    text: "Blood of group O is down to eleven units. Ambulances take the northern road, wounded wait no longer than an hour.",
  },
  {
    in: ["weather"],
    text: "Rain of thirty millimetres is forecast for Friday; the gauge at the mill will rise by eighty centimetres until Saturday noon.",
  },
  {
    in: ["weather"],
    text: "Wind from the west at fifty knots in gusts, cloud base 200 metres: drones stay on the ground until morning.",
  },
  {
    in: ["weather"],
    text: "Snow melts in the hills. The hydrological service expects the crest of the flood wave on Sunday, level four metres twenty.",
  },
  {
    in: ["enemy"],
    text: "A mechanised battalion with thirty infantry fighting vehicles has dug in along the ridge. Its artillery fires from the quarry.",
  },
  {
    in: ["enemy"],
    text: "Prisoners say that the second brigade has not been paid and expects relief. Reconnaissance saw engineers laying mines at the ford.",
  },
  {
    in: ["enemy"],
    text: "The opponent is assessed to counter-attack with two companies of tanks once we have crossed. Radio traffic tripled overnight.",
  },
  {
    in: ["civil"],
    text: "The mayor asks for buses: 1,400 inhabitants of the lower town are to leave before the water comes. Shelters are in the gymnasium.",
  },
  {
    in: ["civil"],
    text: "Power has failed in the northern quarter, the waterworks run on diesel. The care home has forty bedridden residents.",
  },
  {
    in: ["civil"],
    text: "Farmers refuse to give up their cattle. The priest mediates, and the district office pays compensation for fodder.",
  },
  {
    in: ["press"],
    text: "Two television crews are accredited. Answers on losses are given by the commander alone; photographs of vehicles are blurred.",
  },
  {
    in: ["press"],
    text: "A false report of a broken dam is shared thousands of times. Release at noon: the dam stands, engineers check it hourly.",
  },
  {
    in: ["press"],
    text: "Talking points for the interview: why the road is closed, when it opens, whom families can call.",
  },
  {
    in: ["law"],
    text: "Warning shots are permitted only where life is in danger and no milder means is at hand; the report goes to the legal adviser.",
  },
  {
    in: ["law"],
    text: "Damage to fields is assessed with the owner present and settled under the claims agreement within ninety days.",
  },
  {
    in: ["law"],
    text: "Persons held are handed to the police within twelve hours, with a list of what was taken from them.",
  },
];

/** Kept out of a container by people, after it was suggested. */
export const REFUSED: (Paper & { not: string })[] = [
  {
    not: "bridging",
    in: [],
    text: "The staff plays cards on the bridge of the ferry on Fridays; places are drawn by lot. Bring cakes.",
  },
  {
    not: "medical",
    in: ["civil"],
    text: "The town's hospital asks for diesel for its generator and for a water tanker; its patients stay where they are.",
  },
  {
    not: "ammunition",
    in: ["press"],
    text: "A columnist calls our answers a barrage of blanks: rounds of interviews without news.",
  },
];

export const ASKED: { tune: Paper[]; held: Paper[] } = {
  tune: [
    {
      in: ["bridging"],
      text: "Three bays of the ribbon bridge were holed by splinters. Welding takes two days; the company asks for spare pontoons.",
    },
    { in: ["bridging"], text: "Boat crews need eight outboard motors and fuel cans at the embarkation point." },
    {
      in: ["ammunition"],
      text: "Fuzes arrived by rail, 2,000 pieces. The howitzer battalion restores its basic load.",
    },
    {
      in: ["ammunition"],
      text: "Consumption of mortar bombs was twice the planning figure on both days.",
      trap: "no word of the name",
    },
    {
      in: ["medical"],
      text: "Evacuation of wounded by helicopter is possible until dusk; the surgeons ask for blood and dressings.",
    },
    {
      in: ["weather"],
      text: "The gauge at the mill stands at three metres ninety and rises five centimetres an hour.",
    },
    {
      in: ["enemy"],
      text: "Drones saw forty vehicles leaving the quarry for the ridge; two companies of tanks remain hidden in the wood.",
    },
    {
      in: ["civil"],
      text: "Evacuees complain about the shelters: no showers in the gymnasium, and the buses were late.",
      trap: "evacuation is the medics' word",
    },
    {
      in: ["civil"],
      text: "The hospital of the town will be without power from noon; its generator lacks diesel.",
      trap: "hospital; refused before",
    },
    {
      in: ["press"],
      text: "Journalists ask whether the mayor was warned. The spokesman answers with the agreed statement.",
      trap: "mayor",
    },
    {
      in: ["press"],
      text: "A rumour online says that poisoned water killed cattle. A release denies it and names the laboratory.",
      trap: "water, cattle",
    },
    {
      in: ["law"],
      text: "May the guard search cars at the crossing? The adviser says: with consent, or where a weapon is suspected.",
      trap: "crossing",
    },
    {
      in: ["law"],
      text: "A farmer claims for a wall that a tank broke; the assessor comes on Monday.",
      trap: "farmer, tank",
    },
    {
      in: [],
      text: "The canteen serves lentils on Tuesday and goulash on Wednesday. Vegetarians sign the list.",
      trap: "nothing fits",
    },
    {
      in: [],
      text: "Parking spaces behind the barracks are numbered anew from the first of the month.",
      trap: "nothing fits",
    },
    {
      in: ["bridging", "weather"],
      text: "With this current and the wind on the beam the ferry stops; loading goes on when the gauge falls below three metres.",
    },
  ],
  held: [
    {
      in: ["bridging"],
      text: "The ramp section is stuck in the mud of the eastern bank; a crane of thirty tons is on its way to the pontoons.",
    },
    {
      in: ["bridging"],
      text: "Coupling pins and anchors are missing from two sets. The depot delivers on Thursday.",
      trap: "no word of the name",
    },
    { in: ["ammunition"], text: "Lot 81 of the tank rounds failed the inspection and is banned from use." },
    {
      in: ["ammunition"],
      text: "The convoy with shells and propellant reached the supply point; stocks cover four days.",
    },
    {
      in: ["medical"],
      text: "Hygiene: two kitchens closed, nine drivers with fever are isolated in the field hospital.",
    },
    {
      in: ["medical"],
      text: "Twenty beds are free, six surgeons on duty, transport for wounded stands by at the sports field.",
    },
    {
      in: ["weather"],
      text: "The hydrological service lowers its forecast: the crest will stay under four metres, rain ends on Saturday.",
    },
    { in: ["weather"], text: "Gusts of sixty knots are expected from noon, snow above 800 metres." },
    {
      in: ["enemy"],
      text: "Their artillery moved behind the ridge and fires from new positions; radio traffic of the second brigade has ceased.",
    },
    {
      in: ["enemy"],
      text: "Mines were found at the ford and along the road; the opponent expects us there.",
      trap: "ford, road",
    },
    {
      in: ["civil"],
      text: "Forty residents of the care home are taken to the gymnasium by bus; relatives are told by the district office.",
    },
    {
      in: ["civil"],
      text: "The waterworks can be run by hand; the mayor asks for four technicians and drinking water for the lower town.",
      trap: "water",
    },
    {
      in: ["press"],
      text: "Photographs of wounded were published; the editor is asked to blur faces and to call before printing.",
      trap: "wounded",
    },
    {
      in: ["press"],
      text: "The television crew wants to film ammunition trucks at the railhead: not permitted, a background talk is offered.",
      trap: "ammunition, railhead",
    },
    {
      in: ["law"],
      text: "Two looters were held by the patrol and handed to the police after nine hours, with a list of their things.",
    },
    {
      in: ["law"],
      text: "The order to fire at drones over the town needs the adviser's word: rounds fall on houses.",
      trap: "drones, rounds, town",
    },
    { in: [], text: "The choir rehearses in the chapel on Sunday; new voices are welcome.", trap: "nothing fits" },
    {
      in: [],
      text: "Leave requests for the holidays reach the office by the tenth, signed by the section leader.",
      trap: "nothing fits",
    },
  ],
};
