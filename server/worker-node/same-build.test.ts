import { expect, it } from 'vitest'
import { refuseIfOther } from './node.ts'

const same = { stages: { probe: 2, render: 5 }, toolsFingerprint: 'a' }

it.each([
  [{ ...same, stages: { probe: 2, render: 6 } }, /another version of Cutroom.*"render"/],
  [{ ...same, stages: { probe: 2 } }, /another version of Cutroom.*"render"/],
  [{ ...same, stages: { ...same.stages, faces: 1 } }, /another version of Cutroom.*"faces"/],
  [{ ...same, toolsFingerprint: 'b' }, /another build of ffmpeg/],
])('a machine with %j is refused', (here, why) => {
  expect(() => refuseIfOther(same, here)).toThrow(why)
})

it('the same machine is taken', () => {
  expect(() => refuseIfOther(same, structuredClone(same))).not.toThrow()
})
