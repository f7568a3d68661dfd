/** Caption files as programs of others read them: pycaption and ttconv, where `npm run install:delivery` has brought them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FORMATS, type ExportFormat } from '../../server/interchange/index.ts'
import { judge, whyNoJudge } from '../support/delivery.ts'
import { fullClip, rate } from '../support/export-clip.ts'

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-captions-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

const SAID = [
  "It's",
  'größer',
  'als',
  'à',
  'Málaga',
  '& “señor”,',
  'ça',
  'va?',
  'Then',
  'one',
  'more',
  'sentence.',
]

/** Words half a second long, in two sentences with a pause of two seconds. */
function talk() {
  const words = SAID.map((text, index) => {
    const startFrame = 50 + index * 12 + (index >= 8 ? 50 : 0)
    return { text, startFrame, endFrame: startFrame + 11, speaker: 0, joinsNext: false }
  })
  return { ...fullClip(rate(25), [[0, 500]], 0), words, speakers: [] }
}

async function written(format: ExportFormat): Promise<string> {
  const file = join(root, `captions.${format}`)
  await writeFile(file, FORMATS[format].write(talk()).text)
  return file
}

interface Cue {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Seconds and text of each caption. */
const BY_PYCAPTION = `
import json, sys, pycaption
readers = {'srt': pycaption.SRTReader, 'vtt': pycaption.WebVTTReader, 'ttml': pycaption.DFXPReader, 'scc': pycaption.SCCReader}
with open(sys.argv[1], encoding='utf8') as file:
    read = readers[sys.argv[2]]().read(file.read())
captions = read.get_captions(read.get_languages()[0])
print(json.dumps([{'start': c.start / 1e6, 'end': c.end / 1e6, 'text': c.get_text()} for c in captions]))
`
const BY_TTCONV = `
import json, sys, xml.etree.ElementTree as tree
import ttconv.imsc.reader, ttconv.scc.reader, ttconv.model
if sys.argv[2] == 'scc':
    read = ttconv.scc.reader.to_model(open(sys.argv[1], encoding='utf8').read())
else:
    read = ttconv.imsc.reader.to_model(tree.parse(sys.argv[1]))
cues = []
for p in (one for one in read.get_body().dfs_iterator() if isinstance(one, ttconv.model.P)):
    lines = ''.join('\\n' if isinstance(one, ttconv.model.Br) else one.get_text() if isinstance(one, ttconv.model.Text) else '' for one in p.dfs_iterator())
    if lines: cues.append({'start': float(p.get_begin()), 'end': float(p.get_end()), 'text': lines})
print(json.dumps(cues))
`

async function readBy(reader: 'pycaption' | 'ttconv', format: ExportFormat): Promise<Cue[] | null> {
  const why = whyNoJudge(reader)
  if (why !== null) {
    console.log(`export-captions: ${format} is not read by ${reader}: ${why}`)
    return null
  }
  const program = reader === 'ttconv' ? BY_TTCONV : BY_PYCAPTION
  const kind = format === 'ebu-tt-d' ? 'ttml' : format
  return JSON.parse(await judge(program, [await written(format), kind])) as Cue[]
}

it.each([
  ['srt', 'pycaption'],
  ['vtt', 'pycaption'],
  ['ttml', 'pycaption'],
  ['ebu-tt-d', 'pycaption'],
  ['ttml', 'ttconv'],
  ['ebu-tt-d', 'ttconv'],
  ['scc', 'pycaption'],
  ['scc', 'ttconv'],
] as const)('%s is read by %s with its words and times', async (format, reader) => {
  const cues = await readBy(reader, format)
  if (cues === null) return
  expect(cues.map(({ text }) => text.replaceAll(/\s+/gu, ' ').trim())).toEqual([
    "It's größer als à Málaga & “señor”, ça va?",
    'Then one more sentence.',
  ])
  // A caption of CEA-608 comes and goes with a frame of 29.97.
  const digits = format === 'scc' ? 0.05 : 0.002
  const times = [
    [2, (50 + 7 * 12 + 11) / 25],
    [(50 + 8 * 12 + 50) / 25, (50 + 11 * 12 + 50 + 11) / 25],
  ]
  cues.forEach(({ start, end }, index) => {
    expect(Math.abs(start - (times[index]?.[0] ?? NaN))).toBeLessThanOrEqual(digits)
    expect(Math.abs(end - (times[index]?.[1] ?? NaN))).toBeLessThanOrEqual(digits)
  })
})
