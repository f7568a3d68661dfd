/** Names of things and actions: each stands for a pattern that the phrasings of commands use. PURE. */
export const LEXICON: Readonly<Record<string, string>> = {
  cut: 'cut out|cut down|cut|remove|delete|take out|take away|drop|get rid of|lose|erase|trim off|trim|chop off|chop|strip out|strip|kill|leave out|skip|clean up|clean',
  off: "turn off|switch off|disable|hide|remove|delete|no|without|get rid of|drop|lose|take off|take away|stop|deactivate|kill|off|do not|don't|never",
  putback: 'put back|restore|bring back|uncut|undelete|un-cut',
  captions:
    "(?:caption|subtitle) text|text of the (?:captions?|subtitles?)|(?:captions?|subtitles?|subs)'?|words on screen",
  title: 'title overlay|headline overlay|title card|title|headline|heading|name of the clip',
  fillers: "filler words?|filler sounds?|fillers?|hesitations?|verbal tics|(?:um|uh|er|hm|ah|erm)'?s?",
  pauses: 'pauses?|silences?|gaps?|dead air|breaks?',
  curses:
    'curse words?|curses?|cuss words?|cussing|cursing|swear words?|swears?|swearing|profanit(?:y|ies)|bad words?|bad language|foul language|f-bombs?|expletives?|explicit words?',
  sentences: 'sentences?|lines?|phrases?|statements?',
  zoom: 'zoom[ -]?ins?|zoom effects?|zooming|zooms?|punch(?:[ -]?in)?|(?:a )?closer looks?|close-?up|(?:push|go|move)[ -]in(?: closer)?|(?:look|get|go|move|push) closer',
  autozoom: '(?:smart|auto|automatic|auto-matic|ai|dynamic) ?-?zoom(?:s|ing)?',
  music: '(?:background )?(?:music|soundtrack|song|track)',
  watermark: 'watermark|logo',
  endcard: 'end ?-?card|outro|end ?-?screen|closing card|ending card',
  broll: 'b[ -]?rolls?|stock (?:footage|pictures)|inserts?',
  words: 'the words?|the phrase|the part|the bit|the line|the section|the sentence|everything saying',
  everything: 'everything|it all|all of it|all',
}

/** Words without a meaning of their own, in any sentence. */
export const STOP_WORDS =
  "(?:right )?here|now|at this point|at the playhead|an?|the|my|his|her|our|your|their|all|any|some|every|of|to|into|at|in|on|onto|from|for|with|by|as|it|its|this|that|these|those|them|is|are|be|been|was|should|shall|will|would|and|or|so|out|off|away|just|only|please|very|make|set|turn|switch|change|put|give|take|use|have|let|want|i|me|get|do|does|go|move|bring|paint|render|colou?r(?:ed)?|really|clip|video|screen|picture|frame|bit|little|slightly|at least|'?s"

/** The pattern of one term of a phrasing: names of the lexicon, or words. */
export const patternOf = (term: string): string =>
  term
    .replaceAll(/[a-z]+/gu, (word) => (LEXICON[word] === undefined ? word : `(?:${LEXICON[word]})`))
    .replaceAll('_', ' ')
