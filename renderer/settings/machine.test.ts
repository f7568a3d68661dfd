import { expect, it } from 'vitest'
import { describeMachine, type MachineCheck } from './machine.ts'

const check = (name: string, state: MachineCheck['state'] = 'ok', found = 'fine'): MachineCheck => ({
  name,
  state,
  found,
  ...(state === 'ok' ? {} : { mend: 'Mend it.' }),
})
const statesOf = (checks: readonly MachineCheck[]) =>
  describeMachine(checks).map(({ name, state }) => `${name} ${state}`)

it('puts checks together by what they are about; the worst one says how it is', () => {
  const checks = [
    check('runtime'),
    check('disk', 'warning'),
    check('home', 'failure'),
    check('ffmpeg'),
    check('filter drawtext', 'warning'),
    check('model for speech', 'warning'),
    check('model for faces'),
    check('model whisper-base', 'warning'),
    check('something new'),
  ]
  expect(statesOf(checks)).toEqual([
    'video warning',
    'speech warning',
    'seeing warning',
    'room failure',
    'appliance ok',
  ])
})

it('names what is not as it should be, and where an owner can see to it', () => {
  const [speech, data] = describeMachine([
    check('model for speech', 'warning'),
    check('database'),
    check('backup', 'warning'),
  ])
  expect([speech?.section, data?.section]).toEqual(['models', 'backup'])
  expect(data?.shortcomings.map(({ name }) => name)).toEqual(['backup'])
  expect(describeMachine([check('disk')])[0]?.section).toBeNull()
})

it('names the models that are missing, and says what was found of the rest', () => {
  const [seeing] = describeMachine([
    check('model for faces', 'warning'),
    check('model for sound-events', 'warning'),
    check('model yunet', 'warning', 'was installed and is not used'),
  ])
  expect(seeing?.details).toEqual([
    'Not installed: Faces · Laughter, applause, music',
    'was installed and is not used',
  ])
  expect(describeMachine([check('model for speech', 'warning')])[0]?.details).toEqual([])
})

it('says whether card or processor renders', () => {
  const [card] = describeMachine([check('gpu', 'ok', 'encoding with nvenc')])
  const [processor] = describeMachine([
    check('gpu', 'ok', 'no hardware encoder works here: encoding in software'),
  ])
  expect(card?.sentence).toContain('graphics card renders')
  expect(processor?.sentence).toContain('processor renders')
})
