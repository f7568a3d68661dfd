import { AppError } from '../../contract/errors.ts'
import {
  forgetVoice,
  listVoices,
  nameVoice,
  renameVoice,
  setVoiceRecognition,
} from '../../domain/voices/voices.ts'
import { requireCompany } from '../../domain/people/companies.ts'
import { optional, required } from '../command.ts'
import { defineHomeCommand } from '../open-home.ts'
import { table } from '../terminal.ts'

const company = required('ID', 'whose voices')

export const voiceRecognise = defineHomeCommand({
  summary: 'Turn recognising voices by name on or off; off deletes every named voice of the company',
  positionals: ['ON_OR_OFF'],
  options: { company },
  examples: {
    'cutroom voice recognise on --company local':
      'A voiceprint is biometric data: turn it on only where the law and the people who speak allow it.',
  },
  run: ({ services, options, positionals: [given = ''] }) => {
    if (given !== 'on' && given !== 'off') throw new AppError('INVALID_USAGE', 'Say on or off.')
    const done = setVoiceRecognition(services, options.company, given === 'on')
    const text = done.recognise
      ? 'Voices can be named now, and are recognised in later videos.'
      : `Voices are not recognised by name any more; ${done.deleted} named voices are deleted.`
    return { json: done, text }
  },
})

export const voiceList = defineHomeCommand({
  summary: 'List named voices (never the voiceprints)',
  options: { company },
  examples: {
    'cutroom voice list --company local': 'Ids, names, models, and whether voices are recognised.',
  },
  run: ({ services, options }) => {
    const voices = listVoices(services, options.company)
    const { recogniseVoices: recognise } = requireCompany(services, options.company)
    const rows = voices.map(({ id, name, model, seconds, createdAt }) => {
      return [id, name ?? '(cannot be opened)', model, seconds?.toFixed(0) ?? '-', createdAt]
    })
    return {
      json: { recognise, voices },
      text: [
        `Recognising voices by name is ${recognise ? 'on' : 'off'}.`,
        ...table([['ID', 'NAME', 'MODEL', 'SECONDS', 'NAMED'], ...rows]),
      ],
    }
  },
})

export const voiceName = defineHomeCommand({
  summary: 'Name the voice of a speaker, so that it is recognised in later videos',
  // Not NAME, which the audit log would record.
  positionals: ['PERSON'],
  options: {
    company,
    clip: optional('ID', 'a clip in which it speaks'),
    run: optional('ID', 'or a run'),
    speaker: required('N', 'which speaker, as in transcripts: the first is 0'),
  },
  examples: {
    'cutroom voice name "Anna Weber" --company local --clip CLIP --speaker 0':
      'Takes the place of a voice that has this name. Recognition must be on.',
  },
  run: ({ services, options, positionals: [name = ''] }) => {
    const { company: companyId, clip: clipId, run: runId } = options
    if (!/^\d{1,6}$/.test(options.speaker))
      throw new AppError('INVALID_USAGE', '--speaker is a number: the first is 0.')
    const speaker = Number(options.speaker)
    const voice = nameVoice(services, { companyId, clipId, runId, speaker, name })
    return { json: voice, text: `This voice is “${voice.name ?? name}” (${voice.id}).` }
  },
})

export const voiceRename = defineHomeCommand({
  summary: 'Give a named voice another name; clips that exist keep theirs',
  positionals: ['ID', 'NAME'],
  options: { company },
  examples: { 'cutroom voice rename ID "Anna Weber-Klein" --company local': 'From the next video on.' },
  run: ({ services, options, positionals: [id = '', name = ''] }) => {
    const voice = renameVoice(services, { companyId: options.company, id, name })
    return { json: voice, text: `This voice is “${voice.name ?? name}”.` }
  },
})

export const voiceForget = defineHomeCommand({
  summary: 'Delete a named voice; clips that exist keep the name',
  positionals: ['ID'],
  options: { company },
  examples: { 'cutroom voice forget ID --company local': 'It is not recognised any more.' },
  run: ({ services, options, positionals: [id = ''] }) => {
    forgetVoice(services, { companyId: options.company, id })
    return { json: { id, deleted: true }, text: `Voice ${id} is forgotten.` }
  },
})
