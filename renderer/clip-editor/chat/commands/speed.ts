import { setRate } from '../../../../server/nodes/editing/rates.ts'
import { declareCommand, edited, refused, rule, type Read } from './declare.ts'
import { isMissing, rulesWithWhere, stretchAt, type Where } from './where.ts'

const IT = '(?:it|this|the clip|the video|everything|the whole (?:clip|thing))'

export const speed = declareCommand({
  name: 'speed',
  examples: ['speed up to 1.5x', 'play “three times” at half speed'],
  rules: [
    ...rulesWithWhere(
      `(?:(?:speed|slow) ?(?:up|down)?(?: ${IT})?(?: up| down)? (?:to|by)|play(?: ${IT})? at|set (?:the )?(?:speed|playback|playback rate) (?:to|at)|(?:make|run) ${IT}|go|speed|run at) {rate:NUMBER} ?(?:x|times|×)(?: (?:as )?(?:fast|faster|speed))?`,
      (where, found) => at(found.number('rate'), where),
    ),
    ...rulesWithWhere(
      `(?:(?:play|make|run|set|slow)(?: ${IT})?(?: down)?(?: at| to)? )?half (?:the )?speed`,
      (where) => at(0.5, where),
    ),
    ...rulesWithWhere(`(?:(?:play|make|run|set)(?: ${IT})?(?: at| to)? )?double (?:the )?speed`, (where) =>
      at(2, where),
    ),
    ...rulesWithWhere(
      `(?:(?:play|make|run|set)(?: ${IT})?(?: at| to)? |back to )?(?:normal|natural|regular|usual|original)(?: the)? speed`,
      (where) => at(1, where),
    ),
    ...rulesWithWhere(
      `(?:play|make|run|set|speed)(?: ${IT})? (?:at|to) {rate:PERCENT}(?: speed)?`,
      (where, found) => {
        const percent = found.number('rate')
        return percent === null ? null : at(percent / 100, where)
      },
    ),
    ...rulesWithWhere(
      `(?:speed ${IT} up|speed up(?: ${IT})?|(?:make|play|run) ${IT} (?:a bit |a little |slightly )?faster|faster)`,
      (where) => at(1.25, where),
    ),
    ...rulesWithWhere(
      `(?:slow ${IT} down|slow down(?: ${IT})?|(?:make|play|run) ${IT} (?:a bit |a little |slightly )?slower|slower|slow motion|slow-mo)`,
      (where) => at(0.8, where),
    ),
    rule(
      '(?:play|speed up|slow down) {phrase:QUOTED} (?:at|to|by) (?:{rate:NUMBER} ?(?:x|times|×)|(?<half>half)(?: the)? speed|(?<double>double)(?: the)? speed)',
      quotedRate,
    ),
  ],
  run(edit, context, { rate, ...where }) {
    const stretch = stretchAt(edit, context, where)
    if (stretch !== null && isMissing(stretch)) return refused(stretch.why)
    const { start, end } = stretch ?? { start: -Infinity, end: Infinity }
    const cut = setRate(edit.cut, start, end, rate)
    if (cut === edit.cut) return refused(`It plays at ${rate}× already.`)
    const what = stretch === null ? 'The clip plays' : 'That stretch plays'
    return edited({ ...edit, cut }, `${what} at ${rate}×.`)
  },
})

function at(rate: number | null, where: Where) {
  return rate === null || rate < 0.25 || rate > 4 ? null : { rate, ...where }
}

function quotedRate(found: Read) {
  const phrase = found.text('phrase')
  const rate = found.text('half') === null ? (found.text('double') === null ? found.number('rate') : 2) : 0.5
  return phrase === null ? null : at(rate, { phrase })
}
