import { shortenPauses as shorten } from '../../../../server/nodes/editing/speech-cuts.ts'
import { declareCommand, edited, refused, rule } from './declare.ts'

const PAUSES =
  '(?:long |awkward |all |the |my |any |big |dead )*(?:pauses?|silences?|gaps?|dead air|breaks?)(?: between (?:the )?words)?'
const SHORTEN = '(?:shorten|tighten(?: up)?|reduce|close|cut down|{cut})'
const USUAL = 0.6

export const shortenPauses = declareCommand({
  name: 'shorten_pauses',
  examples: ['shorten pauses over half a second', 'tighten the pauses'],
  rules: [
    rule(
      `${SHORTEN} (?:out )?(?:all (?:of )?)?${PAUSES} (?:over|longer than|above|of more than|more than|that are longer than|that last longer than|of) {over:TIME}`,
      (found) => longer(found.time('over')),
    ),
    rule(`${SHORTEN} (?:out )?(?:all (?:of )?)?${PAUSES}`, () => ({ over: USUAL })),
    rule('(?:tighten|pick) (?:it|the clip|the pacing|the talk) up|(?:make|cut) it tighter|tighter', () => ({
      over: USUAL,
    })),
  ],
  run(edit, context, { over }) {
    const { cut, shortened, seconds } = shorten(edit.cut, over, context)
    if (shortened === 0) return refused(`No pause between the words is longer than ${over} s.`)
    const count = shortened === 1 ? 'one pause' : `${shortened} pauses`
    return edited({ ...edit, cut }, `Shortened ${count}; the clip is ${seconds.toFixed(1)} s shorter.`)
  },
})

const longer = (over: number | null) => (over === null || over < 0.2 || over > 30 ? null : { over })
