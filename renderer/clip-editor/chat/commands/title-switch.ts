import { declareCommand, edited, given, rule } from './declare.ts'

const THE = '(?:the |my |any |an? )?(?:{title}|title overlay|headline overlay)'

export const titleSwitch = declareCommand({
  name: 'title_switch',
  examples: ['turn the title off', 'show the title for 3 seconds'],
  rules: [
    rule(`{off} ${THE}`, () => ({ on: false })),
    rule(`(?:turn |switch |take )?${THE} (?:off|away|gone|hidden)`, () => ({ on: false })),
    rule(
      `(?:{on}|keep|leave|let) ${THE}(?: (?:stay|shown|on|visible))? (?:for |during )(?:the (?:first|opening) )?{seconds:LENGTH}`,
      (found) => {
        const seconds = found.time('seconds')
        return seconds === null ? null : { on: true, seconds }
      },
    ),
    rule(
      `(?:{on}|keep|leave|let) ${THE}(?: (?:stay|shown|on|visible))? (?:for (?:the )?(?:whole|entire|full) (?:clip|video|time)|(?:until|to) the end|all the time|throughout)`,
      () => ({ on: true, seconds: 0 }),
    ),
    rule(`{on} ${THE}`, () => ({ on: true })),
    rule(`(?:turn |switch )?${THE} (?:back )?on`, () => ({ on: true })),
  ],
  run(edit, _context, { on, seconds }) {
    const config = { ...edit.titleConfig, enabled: on, ...given({ duration: seconds }) }
    const how = seconds === undefined ? '' : seconds === 0 ? ' to the end' : ` for ${seconds} s`
    return edited(
      { ...edit, titleConfig: config },
      on ? `The title is shown${how}.` : 'The title is not shown.',
    )
  },
})
