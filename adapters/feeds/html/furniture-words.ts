/** Words by which furniture is known: of classes and ids, and of short blocks in the languages sources come in. */

/** What pages call such parts, as whole words of a class or an id. */
export const called = new RegExp(
  [
    String.raw`(?:^|[-_ ])(?:ad|ads|advert\w*|affiliate|author-?(?:bio|box|info|card)?|bio|breadcrumbs?|byline|`,
    String.raw`captions?|comments?|commercial|copyright|credits?|disclaimer|follow|gallery-?(?:caption|info)|`,
    String.raw`image-?(?:source|credit|caption)|inline-?(?:related|promo)|mailing-?list|newsletters?|outbrain|`,
    String.raw`pagination|photo-?(?:credit|info)|popular|print-?only|promos?|promoted|publish(?:ed)?-?(?:date|time|`,
    String.raw`info)?|pub-?date|read-?(?:more|next|also)|recirc\w*|recommend\w*|related\w*|see-?also|share\w*|`,
    String.raw`sharing|sign-?up|social\w*|sponsor\w*|subscri\w+|taboola|tag-?(?:list|cloud)|tags|teasers?|`,
    String.raw`time-?stamp|trending|video-?(?:title|caption|info)|widget|wp-caption-text)(?=$|[-_ ])`,
  ].join(""),
  "",
);
/** Short lines that point elsewhere or belong to the page, in the languages that sources come in. */
export const pointing = new RegExp(
  [
    String.raw`^[\W_]*(?:(?:also )?(?:read|see|watch|listen|view)(?: (?:more|also|next|the|full|all|it|here|`,
    String.raw`now))?(?: (?:on|at|in|from|about) [^:]{1,40})?|also on [\w. ]{2,40}|related(?: (?:articles?|`,
    String.raw`stor(?:y|ies)|news|content|topics|posts|coverage|links?|reading|video))?|recommended(?: (?:for you|`,
    String.raw`reading|stories))?|more (?:on|from|in|about|stories|news|coverage|articles?|like this)[^.]{0,60}|`,
    String.raw`more [\w ]{2,20} news|don.?t miss|editor.?s.? (?:picks?|choice)|you (?:may|might) (?:also )?(?:like|`,
    String.raw`be interested)[^.]{0,30}|most (?:read|popular|viewed)|trending(?: now)?|top stories|`,
    String.raw`continue reading|keep reading|story continues[^.]{0,30}|advert(?:isement)?|sponsored(?: content)?|`,
    String.raw`promoted(?: content)?|click here[^.]{0,80}|share (?:this|on|via)[^.]{0,60}|tags?|filed under|`,
    String.raw`topics?|categor(?:y|ies)|comments?|leave a (?:reply|comment)|post (?:a )?comment[^.]{0,10}|`,
    String.raw`about the author|sign in|log in|home|print(?: article)?|order reprints|text size|caption|close|`,
    String.raw`image \d+ of[ /\d]*|lesen sie (?:auch|mehr)|mehr (?:zum thema|dazu|lesen)|siehe auch|weiterlesen|`,
    String.raw`anzeige|lire (?:aussi|la suite|également)|à lire(?: aussi)?|voir aussi|publicité|lea también|le(?:e|`,
    String.raw`er) (?:más|también)|ver también|te puede interesar|publicidad|leia (?:também|mais)|veja (?:também|`,
    String.raw`mais)|saiba mais|publicidade|leggi anche|vedi anche|pubblicità|lees (?:ook|meer)|czytaj (?:też|`,
    String.raw`także|więcej)|läs (?:också|mer)|les også|читайте также|смотрите также|подробнее|реклама|читайте ще|`,
    String.raw`ayrıca bakınız|devamını oku|اقرأ أيضا|اقرأ أيضًا|相关阅读|延伸阅读|関連記事|あわせて読みたい|관련 ?기사)(?:\s*(?:[:：|`,
    String.raw`»›>…–—-]|\.{3}|$))`,
  ].join(""),
  "iu",
);
/** Invitations to subscribe, follow, install; and the small print. */
export const inviting = new RegExp(
  [
    String.raw`\b(?:sign(?:ing)? up|subscribe|register|join)\b.{0,120}\b(?:newsletters?|inbox|e-?mails?|alerts?|`,
    String.raw`updates|youtube|podcast|channel|telegram|whatsapp|membership|today)\b|`,
    String.raw`\bnewsletters?\b.{0,60}\b(?:inbox|delivered|sign up|subscribe|here)\b|\b(?:get|`,
    String.raw`receive)\b.{0,80}\b(?:in|to|into) your inbox\b|\b(?:download|get)\b (?:the|our) .{0,40}\bapp\b|`,
    String.raw`\bfollow\b.{0,60}\b(?:on|via) (?:twitter|facebook|instagram|x|telegram|linkedin|threads|bluesky|`,
    String.raw`youtube)\b|\blike this (?:story|article)\?|\b(?:have|got) a (?:news )?tip\b|\bmay (?:earn|receive|`,
    String.raw`get|contain)\b.{0,60}\b(?:commissions?|affiliate)\b|^listen to .{2,40} live\b|`,
    String.raw`\bmedia playback is (?:un|not )supported\b|\ball rights reserved\b|^(?:copyright |\(c\) |©)|`,
    String.raw`\bthe contents? of this site\b|\bnewsletter (?:abonnieren|bestellen)|\babonne[zr]|`,
    String.raw`\binscrivez-vous\b|\bsuscr[ií]b(?:ete|ase|irse)\b|\bassine\b.{0,40}\bnewsletter|`,
    String.raw`\biscriviti\b.{0,40}\bnewsletter|подпи(?:сы|ши)(?:вай)?тесь`,
  ].join(""),
  "iu",
);
/** Captions and credits of pictures. */
export const credited = new RegExp(
  [
    String.raw`^[\W_]*(?:image|photo(?:graph)?|picture|media|video|file photo|foto|bild|crédito|imagen|`,
    String.raw`фото)\s?(?:copyright|captions?|credit|by|source|quelle)?\s*[:©]|^(?:image|media)\s?(?:copyright|`,
    String.raw`caption)|^\W*©|\((?:photo|image|picture|foto|bild|ap photo|file)\b[^()]{0,80}\)\W*$|\[(?:file|`,
    String.raw`photo)[^[\]]{0,80}\]\W*$|(?:[|/©]\s*(?:getty|afp|ap|epa|reuters|shutterstock|istock|`,
    String.raw`bloomberg)\b[^.]{0,40}|\bcredit: ?[^.]{2,60}|\bgetty images)$`,
  ].join(""),
  "iu",
);
/** Lines that only say when. */
export const dated = new RegExp(
  [
    String.raw`^[\W_]*(?:(?:first |last |originally )?(?:published|posted|updated|modified|created)\b(?: on|`,
    String.raw` at)?[^.]{0,120}|(?:veröffentlicht|aktualisiert|stand|publié|mis à jour|publicado|actualizado|`,
    String.raw`atualizado|pubblicato|aggiornato|опубликовано|обновлено)(?!\p{L})\D{0,40}\d.{0,60}|`,
    String.raw`(?:\w{3,12},? )?(?:\d{1,2}(?:st|nd|rd|th|\.)? \p{L}{3,12}\.?|\p{L}{3,12}\.? \d{1,2}(?:st|nd|rd|`,
    String.raw`th)?),? (?:at )?\d{4}\b[^.]{0,60}|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\b[^.]{0,60})$`,
  ].join(""),
  "iu",
);
/** Lines that only say who. */
export const authored = /^[\W_]*(?:by|von|par|por|di|автор)[\s:]+\p{Lu}[^.!?]{1,100}$/u;
/** Headings behind which other stories are listed. */
export const ending = new RegExp(
  [
    String.raw`^[\W_]*(?:related(?: (?:articles?|stor(?:y|ies)|news|content|topics|posts|coverage|links?))?|`,
    String.raw`recommended(?: for you)?|more (?:from|on|stories|news|articles)\b.{0,50}|you (?:may|`,
    String.raw`might) (?:also )?(?:like|be interested).{0,30}|most (?:read|popular)|trending(?: now)?|top stories|`,
    String.raw`comments?|leave a (?:reply|comment)|about the author|mehr zum thema|lesen sie auch|lire aussi|`,
    String.raw`à lire aussi|sur le même sujet|te puede interesar|lea también|leia também|leggi anche|читайте также|`,
    String.raw`相关阅读|関連記事)\W*$`,
  ].join(""),
  "iu",
);
