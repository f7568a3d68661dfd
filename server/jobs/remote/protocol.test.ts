import { describe, expect, it } from 'vitest'
import { STAGES, type StageName } from '../../../workers/stages/catalog.ts'
import { digestsIn, isRemote, placeOf, queueName, toRemoteTask, withoutModels } from './protocol.ts'

const [one, two, three] = ['1', '2', '3'].map((digit) => digit.repeat(64)) as [string, string, string]

describe('what goes to worker nodes', () => {
  it('is what depends on its inputs only', () => {
    for (const stage of Object.keys(STAGES) as StageName[])
      if (isRemote(stage)) expect([stage, STAGES[stage].reuse]).toEqual([stage, 'content'])
    expect(
      ['ingest', 'fetch-asset', 'record', 'install-model'].map((stage) => isRemote(stage as StageName)),
    ).toEqual([false, false, false, false])
    expect([isRemote('speech'), isRemote('speech', 'network')]).toEqual([true, false])
    expect([placeOf('render'), placeOf('speech'), placeOf('probe')]).toEqual(['render', 'gpu', 'cpu'])
  })

  it('names no path, and every kept file that the parameters name', () => {
    const task = toRemoteTask(
      {
        taskId: 't',
        stage: 'render' as const,
        key: three,
        resources: '/opt/cutroom',
        modelFolders: ['/models'],
        params: { layers: [{ picture: { digest: one } }, { text: two }], other: `${one}x` },
        inputs: { source: { kind: 'source' as const, digest: three } },
        folders: { sources: '/home/s', artefacts: '/home/a', temporary: '/home/t' },
        tools: { ffmpeg: '/bin/ffmpeg', ffprobe: '/bin/ffprobe' },
      },
      {},
      (digest) => digest === one,
    )
    expect(task).toMatchObject({
      stage: 'render',
      version: STAGES.render.version,
      key: three,
      sources: [one],
    })
    expect(JSON.stringify(task)).not.toMatch(/\/(opt|models|home|bin)/)
  })

  it('is for nodes with the same models', () => {
    const base = 'cutroom-x'
    expect(queueName(base, 'cpu', {})).toBe('cutroom-x-cpu')
    const a = { speech: 'tiny@1' }
    const b = { speech: 'tiny@2' }
    expect(queueName(base, 'gpu', a)).not.toBe(queueName(base, 'gpu', b))
    expect(queueName(base, 'gpu', { p: '1', q: '2' })).toBe(queueName(base, 'gpu', { q: '2', p: '1' }))
    expect([withoutModels({ models: {} }), withoutModels({ models: { faces: 'none' } })]).toEqual([
      true,
      true,
    ])
    expect(withoutModels({ models: { speech: 'tiny@1', 'voice-activity': 'none' } })).toBe(false)
  })

  it('finds digests wherever they are', () => {
    expect(digestsIn({ a: [one, { b: two }], c: null, d: 7, e: `${three} ` })).toEqual(new Set([one, two]))
  })
})
