/**
 * Learns which lines of a clip can be its title, from those that a person read (read-lines.txt), and writes the weights that the
 * finder uses: `npm run train:titles`. Prints what becomes the title in each talk by what was learned from the others.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { chooseModel } from '../../../models/installed.ts'
import type { RatedLine } from '../../../workers/stages/find-clips/pure/headline.ts'
import { titlePatternsOf } from '../../../workers/stages/find-clips/pure/title-patterns.ts'
import type { Weights } from '../../../workers/stages/find-clips/pure/story-weights.ts'
import { loadTextEmbedder } from '../../../workers/inference/text-embedder.ts'
import { modelFolders } from '../media.ts'
import { learn, oddsOf, rounded, type Example } from './learn.ts'
import { listClipLines, type ClipLines } from './lines-of-clips.ts'
import { plainLine, readMarks, type Mark } from './read-lines.ts'

const TARGET = join(import.meta.dirname, '../../../workers/stages/find-clips/pure/title-weights.ts')
/** So few lines teach little else than what most of them share. */
const OPTIONS = { ridge: 0.03, balanced: false }

const marks = readMarks()
const markOf = (talk: string, line: RatedLine): Mark | undefined => marks.get(talk)?.get(plainLine(line.text))

/** What is right and says little is half a title. */
const examplesOf = (clips: readonly ClipLines[]): Example[] =>
  clips.flatMap(({ talk, lines }) =>
    lines.flatMap((line): Example[] => {
      const mark = markOf(talk, line)
      const { inputs } = line
      if (mark === '+') return [{ inputs, truth: true }]
      if (mark === '-') return [{ inputs, truth: false }]
      return mark === undefined ? [] : [true, false].map((truth) => ({ inputs, truth, weight: 0.5 }))
    }),
  )

async function listAll(): Promise<ClipLines[]> {
  const model = await chooseModel(modelFolders(), 'text-embedding')
  if (model === null)
    throw new Error('The weights are trained with a model of meaning: install minilm-english.')
  const embedder = await loadTextEmbedder(model, {
    inference: 'cpu',
    warn: (message) => void console.log(message),
  })
  const embed = (texts: readonly string[]): Promise<Float32Array[]> =>
    embedder.embed(texts, new AbortController().signal)
  return [...(await listClipLines('tuned', embed)), ...(await listClipLines('various-tuned', embed))]
}

const clips = await listAll()
const known = clips.filter(({ language }) => titlePatternsOf(language) !== null)
/** Inputs that languages without a grammar have too come first. */
const plainInputs = Math.min(...clips.flatMap(({ lines }) => lines.map(({ inputs }) => inputs.length)))
const cut = (lines: readonly RatedLine[]): RatedLine[] =>
  lines.map((line) => Object.assign({}, line, { inputs: line.inputs.slice(0, plainInputs) }))
/** Lines of all languages, as those of an unknown one are seen. */
const plain = clips.map((clip) => Object.assign({}, clip, { lines: cut(clip.lines) }))

function report(name: string, all: readonly ClipLines[]): void {
  const total = new Map<string, number>()
  for (const talk of new Set(all.map((clip) => clip.talk))) {
    const learned = learn(examplesOf(all.filter((clip) => clip.talk !== talk)), OPTIONS)
    for (const clip of all.filter((one) => one.talk === talk)) {
      const best = clip.lines.toSorted((a, b) => oddsOf(learned, b) - oddsOf(learned, a))[0]
      if (best === undefined) continue
      const odds = oddsOf(learned, best)
      const mark = markOf(talk, best) ?? '?'
      total.set(mark, (total.get(mark) ?? 0) + 1)
      console.log(`${name} ${mark} ${odds.toFixed(2)} ${talk} ${clip.at}: ${best.text}`)
    }
  }
  console.log(name, [...total].map(([mark, count]) => `${mark} ${count}`).join(', '))
}
report('known', known)
report('plain', plain)

const learned: Record<string, Weights> = {
  GRAMMAR_TITLE_WEIGHTS: rounded(learn(examplesOf(known), OPTIONS)),
  PLAIN_TITLE_WEIGHTS: rounded(learn(examplesOf(plain), OPTIONS)),
}
const text = `/** PURE. Written by \`node test/bench/talks/train-titles.ts\`; the inputs are those of title-inputs.ts, in their order. */
import type { Weights } from './story-weights.ts'

/** Of lines in languages whose grammar is known, and in others. */
${Object.entries(learned)
  .map(([name, weights]) => `export const ${name}: Weights = ${JSON.stringify(weights)}`)
  .join('\n')}
`
writeFileSync(
  TARGET,
  await format(text, Object.assign({}, await resolveConfig(TARGET), { parser: 'typescript' as const })),
)
console.log(`Written: ${TARGET}`)
