/** PURE. Converts caption markup to plain text: tags, entities, ASS codes, sounds and music notes. */

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  lrm: '',
  rlm: '',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  rsquo: '’',
  lsquo: '‘',
  rdquo: '”',
  ldquo: '“',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedil: 'ç',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  szlig: 'ß',
  ntilde: 'ñ',
}

/** Resolves named and numeric HTML entities; unknown ones are left unchanged. */
function decodeEntities(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? whole
    const code = name[1]?.toLowerCase() === 'x' ? parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
      ? String.fromCodePoint(code)
      : whole
  })
}

/** Removes tags and override codes of SRT, WebVTT and ASS, resolves entities and collapses white space. */
export function stripMarkup(text: string): string {
  const bare = text
    .replace(/\{\\[^{}]*\}/g, '')
    .replace(/\\[Nn]/g, ' ')
    .replace(/\\h/g, ' ')
    // A tag has a letter, slash or digit after the bracket; "5 < 7" is text.
    .replace(/<\/?[a-z0-9][^<>]*>/gi, '')
  return decodeEntities(bare)
    .replace(/[\u200b\u200e\u200f\u202a-\u202e\u2060\ufeff]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Removes what is sung from the lines of one cue: text between two notes, and lines that a note opens and none closes. */
function dropSung(lines: readonly string[]): string[] {
  const marked = lines.map(withOneNote)
  const remaining: string[] = []
  for (let index = 0; index < marked.length; index += 1) {
    const line = marked[index] ?? ''
    if (!/^♪[^♪]+$/.test(line)) {
      remaining.push(spokenIn(line))
      continue
    }
    // The song may end with a note on a later line: "♪ Happy birthday" / "to you ♪".
    let closing = index + 1
    while (closing < marked.length && marked[closing]?.includes('♪') !== true) closing += 1
    const closed = marked[closing] ?? '♪'
    if (closed.startsWith('♪')) continue
    marked[closing] = closed.slice(closed.indexOf('♪') + 1).trim()
    index = closing - 1
  }
  return remaining
}

/** Replaces every note by one sign, and several in a row by one: `♪♪` opens and closes nothing. */
function withOneNote(line: string): string {
  if (!/[♪♫♬🎵🎶]/u.test(line)) return line
  // "#" stands for a note in files of broadcasters.
  return line
    .trim()
    .replace(/^#/, '♪')
    .replace(/[♪♫♬🎵🎶][♪♫♬🎵🎶\s]*/gu, '♪')
}

function spokenIn(line: string): string {
  const pieces = line.split('♪')
  if (pieces.length === 2) return pieces[0] ?? ''
  // With an odd number of notes nobody can tell which two belong together, so everything between counts as sung.
  if (pieces.length % 2 === 0) return `${pieces[0] ?? ''} ${pieces.at(-1) ?? ''}`
  return pieces.filter((_, at) => at % 2 === 0).join(' ')
}

/** Removes what is not spoken: `[applause]`, `(LAUGHS)`, `♪ lyrics ♪`, `*coughs*`. `lines`: those of one cue. */
export function dropSounds(lines: readonly string[]): string {
  return (
    dropSung(lines)
      .join(' ')
      // A censored word, as YouTube writes it, is still spoken, so it counts as one word.
      .replace(/\[\s*[*_]{2,}\s*\]/g, HIDDEN_WORD)
      .replace(/\[(?!__\])[^\]]*\]?/g, ' ')
      .replace(/^\s*\([^)]*\)\s*$/g, ' ')
      .replace(/\([\p{Lu}\s\d'’,.-]+\)/gu, ' ')
      .replace(
        /\((?:laugh|cough|sigh|applause|music|cheer|clap|gasp|groan|chuckl|sniff|inaudible|unintelligible|crosstalk|silence)[^()]*\)/gi,
        ' ',
      )
      // Does not match the stars of "f*** this s***": a sound has its own pair of stars.
      .replace(/(?<![\p{L}*])\*[a-z ]{2,24}\*(?![\p{L}*])/giu, ' ')
      .replace(/\s+/g, ' ')
      .trim()
  )
}

const HIDDEN_WORD = ' [__] '
/** A word of stars or underscores only; a longer row of them is a separator line. */
const HIDDEN_TOKEN = /^[("'“‘[]*(?:\*{2,12}|_{2,12})[)"'”’\].,!?…:;—–-]*$/

/** Longer than a word of any language; anything longer is garbage that would make later analysis slow. */
const MAX_WORD_CHARACTERS = 500

/** Splits into words with their punctuation; punctuation that stands alone joins the word before. */
export function splitWords(text: string): string[] {
  const words: string[] = []
  for (const token of text.split(/\s+/)) {
    if (token === '') continue
    if (/[\p{L}\p{N}&]/u.test(token) || HIDDEN_TOKEN.test(token))
      words.push(token.slice(0, MAX_WORD_CHARACTERS))
    else if (words.length > 0 && /^[.,!?…:;—–-]+$/.test(token))
      words[words.length - 1] += token === '-' ? ' -' : token
  }
  return words.map((word) => word.replace(/ -$/, ' –').replace(/\s–$/, ''))
}
