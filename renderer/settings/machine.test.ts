import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeMachine, nameOfCheck, type MachineCheck } from './machine.ts'

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
    check('model yunet', 'warning', 'is there and is not used'),
  ])
  expect(seeing?.details).toEqual([
    'Not installed: Faces · Laughter, applause, music',
    'is there and is not used',
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

it('has words for every check of the doctor', async () => {
  const folder = join(import.meta.dirname, '..', '..', 'server', 'cli', 'doctor')
  const files = (await readdir(folder)).filter((name) => !name.endsWith('.test.ts'))
  const sources = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  const named = sources.flatMap((source) =>
    [...source.matchAll(/\b(?:ok|warning|failure)\(\s*'([^']+)'/g)].map((match) => match[1] ?? ''),
  )
  expect(named).toEqual(expect.arrayContaining(['runtime', 'ffmpeg', 'lock']))
  expect(named.filter((name) => nameOfCheck(name) === name)).toEqual([])
  expect(
    ['model for faces', 'model yunet', 'filter drawtext', 'network CUTROOM_LLM_URL'].map(nameOfCheck),
  ).toEqual(['Model: Faces', 'Model yunet', 'Video filter drawtext', 'Connection to another machine'])
})
