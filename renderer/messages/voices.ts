/** What the settings of named voices say. */
import { inLanguage, plural } from './common.ts'

const en = {
  voices: {
    about:
      'Name a voice once in the clip editor, beside the transcript. Later videos in which it speaks show the name in transcripts, exports and the editor.',
    recognise: 'Recognise voices by name',
    consent:
      'A voiceprint is biometric data: it identifies a person. Turn this on only where the people whose voices you name have agreed, and the law allows it. Voiceprints stay on this appliance, encrypted. Off is the default; turning it off deletes them all.',
    none: 'No named voices yet.',
    noneNext: 'Open a clip, name its speakers, and choose the wave beside a name.',
    unreadable: 'Cannot be opened: its key is missing',
    measured: (model: string, seconds: number | null, at: string) =>
      `${seconds === null ? '' : `${Math.round(seconds)} s of speech · `}${model} · named ${at}`,
    rename: 'Rename',
    renameVoice: (name: string) => `Rename ${name}`,
    nameOf: (name: string) => `New name of ${name}`,
    save: 'Save',
    forget: 'Forget',
    forgetVoice: (name: string) => `Forget ${name}`,
    forgetQuestion: (name: string) => `Forget the voice of ${name}?`,
    forgetText: 'It is not recognised in later videos. Clips keep the name. This cannot be undone.',
    offQuestion: 'Turn off and delete every voiceprint?',
    offText: (count: number) =>
      plural(count, {
        one: 'One named voice is deleted. Clips keep the name. This cannot be undone.',
        other: `${count} named voices are deleted. Clips keep the names. This cannot be undone.`,
      }),
    turnOff: 'Turn off and delete',
  },
}

export const { voices } = inLanguage({ en })
