import { declareCommand, edited, given, refused, rule } from './declare.ts'

const THE = '(?:the |my |our |any )?(?:watermark|logo)'
const CORNERS = { 'top left': 1, 'top right': 3, centre: 5, 'bottom left': 7, 'bottom right': 9 } as const
const corner = (text: string | null): keyof typeof CORNERS | null => {
  const plain = (text ?? '')
    .toLowerCase()
    .replace(/^(?:upper|top)[ -]/u, 'top ')
    .replace(/^(?:lower|bottom)[ -]/u, 'bottom ')
    .replace(/^(?:center|middle)$/u, 'centre')
  return Object.hasOwn(CORNERS, plain) ? (plain as keyof typeof CORNERS) : null
}

export const watermark = declareCommand({
  name: 'watermark',
  examples: ['turn the watermark off', 'move the watermark to the bottom left'],
  rules: [
    rule(`{off} ${THE}|(?:turn |switch |take )?${THE} (?:off|away)`, () => ({ on: false })),
    rule(
      `(?:{set} )?${THE} (?:to |in |into |at )?(?:the )?(?<corner>(?:top|bottom|upper|lower)[ -](?:left|right)|cent(?:re|er)|middle)(?: corner)?`,
      (found) => {
        const where = corner(found.text('corner'))
        return where === null ? null : { corner: where }
      },
    ),
    rule(
      `(?:{make} )?${THE}(?: opacity)? (?:to |at )?{opacity:PERCENT}(?: (?:opaque|opacity|visible))?`,
      (found) => {
        const percent = found.number('opacity')
        return percent === null || percent > 100 ? null : { opacity: percent / 100 }
      },
    ),
    rule(`(?:{make} )?${THE} (?:more )?(?:transparent|fainter|subtle|see-through)`, () => ({ opacity: 0.4 })),
    rule(`{on} ${THE}|(?:turn |switch )?${THE} (?:back )?on`, () => ({ on: true })),
  ],
  run(edit, _context, { on, corner: where, opacity }) {
    const config = edit.watermarkConfig
    if (typeof config['url'] !== 'string' || config['url'].trim() === '')
      return refused('This clip has no watermark.')
    if (on === false)
      return edited(
        { ...edit, watermarkConfig: { ...config, enabled: false } },
        'The watermark is not shown.',
      )
    const { x, y, ...rest } = config
    const placed = where === undefined ? given({ x, y }) : { position: CORNERS[where] }
    const next = { ...rest, ...placed, ...given({ opacity }), enabled: true }
    const said = [
      where === undefined ? [] : [where === 'centre' ? 'is in the centre' : `is at the ${where}`],
      opacity === undefined ? [] : [`is ${Math.round(opacity * 100)} % opaque`],
    ].flat()
    return edited(
      { ...edit, watermarkConfig: next },
      `The watermark ${said.length === 0 ? 'is shown' : said.join(' and ')}.`,
    )
  },
})
