/**
 * Words that say nothing about a topic. English first, because most feeds are English; the short function words of five other
 * languages follow so that two unrelated French articles do not meet over "les" and "dans". Inverse document frequency does the rest.
 */
const ENGLISH = `a about above across after again against ago all almost along already also although always am amid among an and another any anyone
  are around as at away back be became because become been before began behind being below best between both but by call called came can cannot come
  could day days did do does doing done down due during each early either else end even ever every few first five following for former four from get
  give given go going good got had has have having he head her here hers herself high him himself his hour hours how however i if in including inside
  into is it its itself just keep known largest last late later latest least less let like likely little long look made make makes making many may me
  mean meanwhile might million billion month months more most much must my near nearly need never new news next no none nor not nothing now number of off often on
  once one only onto open or other others our out outside over own part people per place point put quite rather really report reported reporting reports
  right s said same saw say saying says second see seen set seven several shall she should show showed since six so some something soon still such
  sunday monday tuesday wednesday thursday friday saturday sure take taken ten than that the their them themselves then there these they thing third
  this those though three through throughout thus time times to today together told tomorrow tonight too top toward towards two under until up upon
  use used using very via want was way we week weekly weeks well went were what when where whether which while who whole whom whose why will with within
  without work would year years yesterday yet you your according told statement official officials spokesman spokeswoman spokesperson added`;
const OTHERS = `le la les un une des du de et en dans sur pour par avec est sont que qui ne pas au aux ce cette il elle
  der die das ein eine und in den dem des zu von mit ist sind nicht auf im für auch als an wie sich bei nach
  el los las una y en por con para es son no se su del al lo como más
  il lo gli una e di che per con non è sono nel della dei
  i v na s po o z do je jsou się nie jest w u как на не что это по с и в`;

export const STOPWORDS: ReadonlySet<string> = new Set(`${ENGLISH} ${OTHERS}`.split(/\s+/));
