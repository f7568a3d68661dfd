import { numberField } from './captions.ts'
import { declareCommand, edited, refused, rule } from './declare.ts'

const THE = '(?:the |my |any |all )?(?:background )?(?:music|soundtrack|song|track)(?: volume)?'
/** As the export plays music of which nobody said how loud it is. */
const USUAL = 0.2

export const music = declareCommand({
  name: 'music',
  examples: ['turn the music down', 'music volume 30%', 'no music'],
  rules: [
    rule(
      `(?:turn |make )?${THE} (?:up|louder|a (?:bit|little) louder|a (?:bit|little) up)|(?:raise|increase|turn up|louder) ${THE}`,
      () => ({ change: 'louder' as const }),
    ),
    rule(
      `(?:turn |make )?${THE} (?:down|softer|quieter|lower|a (?:bit|little) (?:softer|quieter|lower|down))|(?:lower|reduce|decrease|turn down|quieter|softer) ${THE}`,
      () => ({ change: 'softer' as const }),
    ),
    rule(`{off} ${THE}|(?:turn |switch |take )?${THE} off|mute ${THE}`, () => ({ change: 'off' as const })),
    rule(
      `(?:{set} )?(?:the )?(?:volume of )?${THE}(?: volume)?(?: to| at| be)? {volume:PERCENT}`,
      (found) => {
        const percent = found.number('volume')
        return percent === null || percent > 100 ? null : { volume: percent / 100 }
      },
    ),
    rule(`(?:{set} )?(?:the )?(?:volume of )?${THE}(?: volume)? (?:to|at) {volume:NUMBER}`, (found) => {
      const number = found.number('volume')
      return number === null || number > 100 ? null : { volume: number > 1 ? number / 100 : number }
    }),
    rule(
      `(?:half the volume of ${THE}|${THE} (?:at |to )?half(?: (?:the |as )?(?:volume|loud))?|halve ${THE})`,
      () => ({ change: 'softer' as const }),
    ),
  ],
  run(edit, _context, { change, volume }) {
    const config = edit.backgroundMusicOption
    if (typeof config['url'] !== 'string' || config['url'].trim() === '')
      return refused('This clip has no music.')
    const before = numberField(config, 'volume', USUAL)
    const wanted =
      volume ??
      (change === 'off'
        ? 0
        : change === 'louder'
          ? before * 1.5
          : change === 'softer'
            ? before / 1.5
            : before)
    const next = Math.min(1, Math.max(0, Math.round(wanted * 100) / 100))
    if (next === before) return refused(`The music is at ${Math.round(before * 100)} % already.`)
    const said =
      next === 0
        ? 'The music is off.'
        : `The music is at ${Math.round(next * 100)} % instead of ${Math.round(before * 100)} %.`
    return edited({ ...edit, backgroundMusicOption: { ...config, volume: next } }, said)
  },
})
