import { expect, it } from 'vitest'
import { commandOf } from '../../server/nodes/commands/index.ts'
import { CAPTION_PRESETS } from '../../server/nodes/presets/captions.ts'
import { firstProblem } from '../../server/nodes/validate.ts'
import { requestsOf, SAME } from './look.ts'

it('asks for each thing by itself, and for nothing that stays', () => {
  expect(requestsOf(SAME, 'one')).toEqual([])
  expect(requestsOf({ brand: 'kit', captions: 'pop', shape: '1:1' }, 'one')).toEqual([
    { editId: 'one', brandKitId: 'kit' },
    { editId: 'one', calls: [{ name: 'caption_style', arguments: { preset: 'pop' } }] },
    { editId: 'one', calls: [{ name: 'aspect', arguments: { ratio: '1:1' } }] },
  ])
})

it('asks for commands that the editor has, with arguments that they take', () => {
  const presets = CAPTION_PRESETS.flatMap(({ id }) => requestsOf({ ...SAME, captions: id }, 'one'))
  const calls = [...presets, ...requestsOf({ ...SAME, shape: '4:5' }, 'one')].flatMap(
    ({ calls = [] }) => calls,
  )
  for (const { name, arguments: given } of calls) {
    const command = commandOf(name)
    expect(command, name).toBeDefined()
    expect(command && firstProblem(command.params, given)).toBeNull()
  }
  expect(calls).toHaveLength(CAPTION_PRESETS.length + 1)
})
