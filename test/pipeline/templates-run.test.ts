/** Every workflow to start from, carried out once on seconds of the bundled sample: its clip has the shape that it names. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resolveNodes, WORKFLOW_TEMPLATES } from '../../server/nodes/index.ts'
import { openRunEnvironment, type RunEnvironment } from '../support/run-environment.ts'
import { make, probeStreams } from './render-support.ts'

const SAMPLE = join(import.meta.dirname, '..', '..', 'resources', 'sample', 'sample.mp4')
const RANGE = { start: 1, end: 6 }
/** Width to height of the clips; of those that keep the shape of their source, its own. */
const SHAPES: Readonly<Record<string, number>> = {
  'Podcast to shorts': 9 / 16,
  'Interview, split screen': 9 / 16,
  'Sermon or speech': 9 / 16,
  'Stream and gaming': 9 / 16,
  'Square clips for feeds': 1,
}

let place: RunEnvironment
let source: string
beforeAll(async () => {
  place = await openRunEnvironment()
  source = join(place.root, 'excerpt.mp4')
  const part = ['-ss', '37', '-i', SAMPLE, '-t', '8', '-map', '0']
  await make([
    ...part,
    '-vf',
    'scale=640:-2',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-c:a',
    'aac',
    '-c:s',
    'mov_text',
    source,
  ])
}, 60_000)
afterAll(() => place.close())

describe('workflows to start from', () => {
  it.each(WORKFLOW_TEMPLATES.map((one) => [one.name, one] as const))(
    '%s makes a clip',
    async (name, { nodes, edges = [] }) => {
      const resolved = resolveNodes({ nodes, edges }, []).nodes.map((node) =>
        node.type === 'find_clips'
          ? { ...node, config: { ...node.config, pinnedTimestamps: [RANGE], pinnedTimestampsOnly: true } }
          : node,
      )
      const { file } = await place.clipOf(source, resolved)
      const { video, audio } = await probeStreams(file)
      expect((video.width ?? 0) / (video.height ?? 1)).toBeCloseTo(SHAPES[name] ?? 16 / 9, 1)
      expect(audio.codec_type).toBe('audio')
    },
    180_000,
  )
})
