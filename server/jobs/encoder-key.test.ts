import { describe, expect, it } from 'vitest'
import { sampleComposition } from '../../test/support/sample-composition.ts'
import { renderKeyOf, renderParams } from '../domain/runs/plan/plan-clips.ts'
import { sourceInput, type StageInvocation } from '../domain/runs/plan/plan-draft.ts'
import type { EncoderChoice } from '../../workers/protocol.ts'
import { createLanes } from './lanes.ts'
import { createStageRunner } from './stage-runner.ts'

const source = sourceInput('a'.repeat(64))
const render: StageInvocation = {
  slot: 'render',
  stage: 'render',
  params: renderParams(sampleComposition()),
  inputs: { source },
}
const probe: StageInvocation = { slot: 'probe', stage: 'probe', params: {}, inputs: { source } }

function keyOf(invocation: StageInvocation, encoder?: EncoderChoice): Promise<string> {
  const unused = (): never => {
    throw new Error('a key is all that is asked for')
  }
  const runner = createStageRunner(
    { config: {} as never, home: {} as never },
    {
      engine: { run: unused, pid: () => null, stop: unused },
      lanes: createLanes({ network: 1, live: 1, cpu: 1, gpu: 1, renders: 1 } as never),
      toolbox: {
        tools: () => Promise.resolve({ paths: { ffmpeg: 'f', ffprobe: 'p' }, fingerprint: 'tools' }),
        modelFingerprint: () => Promise.resolve('none'),
        ...(encoder === undefined ? {} : { encoder: () => Promise.resolve(encoder) }),
      },
    },
  )
  return runner.keyOf(invocation, 'run')
}

describe('the key of a render', () => {
  it('is another for each encoder, the same for the same one, and software is what it was before', async () => {
    const nvenc: EncoderChoice = { way: 'nvenc', device: null }
    const vaapi = (device: string): EncoderChoice => ({ way: 'vaapi', device })
    const complaint: EncoderChoice = { way: 'software', device: null, complaint: 'It does not work.' }
    const keys = await Promise.all([
      keyOf(render),
      keyOf(render, nvenc),
      keyOf(render, vaapi('/dev/dri/renderD128')),
      keyOf(render, vaapi('/dev/dri/renderD129')),
      // Its result says something that the same one by wish does not.
      keyOf(render, complaint),
      keyOf(render, { way: 'software', device: null, card: { card: 'cuda', device: null } }),
      keyOf(render, { ...nvenc, card: { card: 'cuda', device: null } }),
    ])
    expect(new Set(keys).size).toBe(7)
    expect(await keyOf(render, { way: 'software', device: null })).toBe(keys[0])
    expect(await keyOf(render, { ...nvenc })).toBe(keys[1])
  })

  it('alone depends on it: a finished clip stays the clip’s render, whatever encoder there is now', async () => {
    expect(await keyOf(probe, { way: 'nvenc', device: null })).toBe(await keyOf(probe))
    expect(renderKeyOf(sampleComposition())).toBe(renderKeyOf(sampleComposition()))
  })
})
