/** Patterns of clauses, written with names for what stands in them: `{cut} the first {count:NUMBER} seconds`. PURE. */

/** Verbs and other choices; a name in braces stands for any of them. */
const CHOICES: Readonly<Record<string, string>> = {
  cut: 'cut out|cut|remove|delete|take out|take away|drop|get rid of|lose|erase|trim off|trim|chop off|chop|strip out|strip|kill|leave out|skip|clean up|clean',
  make: 'make|set|turn|colou?r|paint|render|have|change|give|put|switch|let',
  set: 'set|change|put|turn|make|switch|move|use|bring',
  on: 'turn on|switch on|enable|show|add|use|put on|bring back|activate|with|display|want|include|give me',
  off: 'turn off|switch off|disable|hide|remove|delete|no|without|get rid of|drop|lose|take off|take away|stop|deactivate|kill',
  says: 'when (?:he|she|they|i|we|you|it|someone|somebody|the speaker) says?|where (?:he|she|they|i|we|you|it) says?|while saying|over the words?|on the words?|at the words?|for the words?|during the words?|on the phrase|at the phrase|on the sentence|when|on|at|over|for|during|around|to|where',
  captions: 'captions?|subtitles?|subs|caption text|text of the captions|words on screen',
  title: 'title|headline|heading|title card|name of the clip',
  words: 'the words?|the phrase|the part|the bit|the line|the section|the sentence|everything saying',
}

const NUMBER_WORDS =
  'zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|half|couple|few|quarter'
const NUMBER = `(?:\\d+(?:[.,]\\d+)?|(?:an?|(?:an? )?(?:${NUMBER_WORDS})(?:[ -](?:${NUMBER_WORDS}|and|a|of))*)(?![\\w']))`
const UNIT = '(?: ?(?:seconds?|secs?|sec|s)(?![\\w]))'
const MINUTES = '(?: ?(?:minutes?|mins?|min|m)(?![\\w]))'
const TIME = `(?:\\d{1,3}:\\d{2}(?::\\d{2})?(?:[.,]\\d+)?|${NUMBER}${MINUTES}(?:(?: and)? ${NUMBER}${UNIT})?|${NUMBER}${UNIT}?|the (?:start|beginning|end))`

/** What stands in a clause. */
const KINDS: Readonly<Record<string, string>> = {
  NUMBER,
  TIME,
  /** A length of time with its unit. */
  LENGTH: `(?:${NUMBER}${MINUTES}(?:(?: and)? ${NUMBER}${UNIT})?|${NUMBER}${UNIT})`,
  /** Any words, or words in quotes. */
  PHRASE: '(?:"[^"]+"|.+?)',
  /** Words in quotes only. */
  QUOTED: '"[^"]+"',
  COLOUR: '(?:#[0-9a-f]{3,8}|[a-z]+(?:[ -][a-z]+){0,2})',
  PERCENT: `(?:${NUMBER} ?(?:%|percent|per cent))`,
}

/** The pattern of a whole clause. `{name}`: a choice; `{name:KIND}`: what is read, under that name. */
export function patternOf(source: string): RegExp {
  const text = source.replaceAll(/\{([a-zA-Z]+)(?::([A-Z]+))?\}/gu, (_, name: string, kind?: string) => {
    const inner = kind === undefined ? CHOICES[name] : KINDS[kind]
    if (inner === undefined) throw new Error(`No ${name} in the pattern ${source}`)
    return kind === undefined ? `(?:${inner})` : `(?<${name}>${inner})`
  })
  return new RegExp(`^(?:${text})$`, 'iu')
}
