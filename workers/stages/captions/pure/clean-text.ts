/** PURE. Caption markup to plain text: tags, entities, ASS codes, sounds and music notes. */

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

/** Named and numbered HTML entities; unknown ones stay as written. */
export function decodeEntities(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? whole
    const code = name[1]?.toLowerCase() === 'x' ? parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
      ? String.fromCodePoint(code)
      : whole
  })
}

/** Removes tags and override codes of SRT, WebVTT and ASS, then resolves entities. Spaces are made single. */
export function stripMarkup(text: string): string {
  const bare = text
    .replace(/\{\\[^{}]*\}/g, '')
    .replace(/\\[Nn]/g, ' ')
    .replace(/\\h/g, ' ')
    // A tag is a letter, slash or digit after the bracket; "5 < 7" stays.
    .replace(/<\/?[a-z0-9][^<>]*>/gi, '')
  return decodeEntities(bare)
    .replace(/[\u200b\u200e\u200f\u202a-\u202e\u2060\ufeff]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Removes what is not spoken: `[applause]`, `(LAUGHS)`, `♪ lyrics ♪`, `*coughs*`. */
export function dropSounds(text: string): string {
  if (/^\s*[♪♫♬#]/.test(text) && /[♪♫♬]/.test(text)) return ''
  return text
    .replace(/♪[^♪]*♪?/g, ' ')
    .replace(/\[[^\]]*\]?/g, ' ')
    .replace(/^\s*\([^)]*\)\s*$/g, ' ')
    .replace(/\([\p{Lu}\s\d'’,.-]+\)/gu, ' ')
    .replace(
      /\((?:laugh|cough|sigh|applause|music|cheer|clap|gasp|groan|chuckl|sniff|inaudible|unintelligible|crosstalk|silence)[^()]*\)/gi,
      ' ',
    )
    .replace(/\*[a-z ]{2,24}\*/gi, ' ')
    .replace(/[♪♫♬]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** No word of any language; what is longer is rubbish that would keep whoever looks at words busy. */
const LONGEST_WORD = 500

/** Words with their punctuation; signs that stand alone join the word before. */
export function splitWords(text: string): string[] {
  const words: string[] = []
  for (const token of text.split(/\s+/)) {
    if (token === '') continue
    if (/[\p{L}\p{N}&]/u.test(token)) words.push(token.slice(0, LONGEST_WORD))
    else if (words.length > 0 && /^[.,!?…:;—–-]+$/.test(token))
      words[words.length - 1] += token === '-' ? ' -' : token
  }
  return words.map((word) => word.replace(/ -$/, ' –').replace(/\s–$/, ''))
}
