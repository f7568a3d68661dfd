import { declareCommand, edited, refused, rule } from './declare.ts'

const THE = '(?:the |my |any |an? )?(?:end ?-?card|outro|end ?-?screen|closing card|ending card)'

export const endCard = declareCommand({
  name: 'end_card',
  examples: ['remove the end card', 'show the end card for 2 seconds'],
  rules: [
    rule(`{off} ${THE}|(?:turn |switch |take )?${THE} (?:off|away)`, () => ({ on: false })),
    rule(
      `(?:(?:{on}|keep|make|set) )?${THE} (?:to |last |be )?(?:for )?{seconds:LENGTH}(?: long)?`,
      (found) => {
        const seconds = found.time('seconds')
        return seconds === null || seconds < 0.5 || seconds > 60 ? null : { on: true, seconds }
      },
    ),
  ],
  run(edit, _context, { on, seconds }) {
    const config = edit.endCardOption
    if (typeof config['url'] !== 'string' || config['url'].trim() === '')
      return refused('This clip has no end card.')
    if (!on) return edited({ ...edit, endCardOption: {} }, 'The clip has no end card.')
    if (seconds === undefined) return refused('The end card is shown already.')
    return edited(
      { ...edit, endCardOption: { ...config, duration: seconds } },
      `The end card is shown for ${seconds} s.`,
    )
  },
})
