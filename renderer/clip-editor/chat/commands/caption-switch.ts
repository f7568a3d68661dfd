import type { ArgumentsOf } from '../../../../server/contract/clip-commands.ts'
import { withCaptions } from './captions.ts'
import { declareCommand, edited, rule, type Rule } from './declare.ts'

type Switch = ArgumentsOf<'caption_switch'>
type What = Switch['what']

/** How each is called, and what of the captions it sets; null leaves a field to the preset. */
const SWITCHES: Readonly<
  Record<What, { readonly called: string; readonly on: Fields; readonly off: Fields; readonly label: string }>
> = {
  captions: { called: '{captions}', on: { enabled: null }, off: { enabled: false }, label: 'Captions' },
  emojis: { called: 'emojis?', on: { emojis: true }, off: { emojis: false }, label: 'Emojis' },
  keywords: {
    called:
      '(?:key ?words?|key ?word (?:highlights?|highlighting|colou?rs?)|highlighting of key ?words|highlighted key ?words)',
    on: { highlightKeywords: true },
    off: { highlightKeywords: false },
    label: 'Coloured keywords',
  },
  'spoken word': {
    called:
      '(?:emphasis|emphasis (?:of|on) the spoken word|spoken[ -]word (?:highlight|highlighting|emphasis)|word (?:highlight|highlighting)|karaoke effect|highlighting(?: of the spoken word)?|highlight(?: on)?(?: the)?(?: spoken word)?)',
    on: { amplifySpokenWords: true },
    off: { amplifySpokenWords: false },
    label: 'Emphasis of the spoken word',
  },
  italic: {
    called: '(?:italics?|italic letters|italic text)',
    on: { isItalic: true },
    off: { isItalic: false },
    label: 'Italic letters',
  },
  bold: {
    called: '(?:bold|bold letters|bold text)',
    on: { fontWeight: 800 },
    off: { fontWeight: 500 },
    label: 'Bold letters',
  },
  shadow: {
    called: '(?:shadow|drop shadow|shadows|text shadow)',
    on: { shadowEnabled: true },
    off: { shadowEnabled: false },
    label: 'The shadow',
  },
  background: {
    called: '(?:background|box|backdrop|box behind the {captions})',
    on: { backgroundFillStyle: 'block' },
    off: { backgroundFillStyle: 'none' },
    label: 'The background',
  },
  outline: {
    called: '(?:outline|stroke|edge)',
    on: { outlineWidth: 8 },
    off: { outlineWidth: 0 },
    label: 'The outline',
  },
}
type Fields = Readonly<Record<string, unknown>>

const FOR_CAPTIONS = '(?: (?:to|in|on|for|from|of|behind|around) (?:the |my )?{captions})?'

function rulesFor(what: What): Rule<Switch>[] {
  const { called } = SWITCHES[what]
  const thing =
    what === 'captions'
      ? `(?:the |my |all )*${called}`
      : `(?:the |some |any |an? )?(?:{captions}'? )?${called}${FOR_CAPTIONS}`
  const rules = [
    rule<Switch>(`{off} ${thing}`, () => ({ what, on: false })),
    rule<Switch>(`{on} ${thing}`, () => ({ what, on: true })),
    rule<Switch>(
      `(?:turn |switch |put |set )?${thing} off|${thing} (?:away|gone|hidden|disabled)|(?:take|hide|turn) ${thing} (?:off|away)`,
      () => ({ what, on: false }),
    ),
    rule<Switch>(`(?:turn |switch |put |set )?${thing} (?:back )?on|${thing} (?:shown|enabled)`, () => ({
      what,
      on: true,
    })),
  ]
  if (what === 'keywords')
    return [
      ...rules,
      rule<Switch>('highlight (?:the )?(?:important |key ?)words', () => ({ what, on: true })),
    ]
  if (what !== 'italic' && what !== 'bold') return rules
  return [
    ...rules,
    rule<Switch>(`(?:{make} )?(?:the )?{captions} (?:in )?${called}`, () => ({ what, on: true })),
    rule<Switch>(`(?:{make} )?(?:the )?{captions} not ${called}`, () => ({ what, on: false })),
  ]
}

export const captionSwitch = declareCommand({
  name: 'caption_switch',
  examples: ['turn the captions off', 'add emojis to the captions', 'no shadow on the captions'],
  rules: (Object.keys(SWITCHES) as What[]).flatMap(rulesFor),
  run(edit, _context, { what, on }) {
    const { label, ...fields } = SWITCHES[what]
    // A clip whose workflow has no captions gets them by being told so.
    const set =
      what === 'captions' && on && Object.keys(edit.subtitleConfig).length === 0
        ? { enabled: true }
        : on
          ? fields.on
          : fields.off
    return edited(withCaptions(edit, set), `${label}: ${on ? 'on' : 'off'}.`)
  },
})
