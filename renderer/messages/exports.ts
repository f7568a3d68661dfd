/** What the dialog says that makes finished files of a clip. */
import { inLanguage } from './common.ts'

const en = {
  exportMessages: {
    title: 'Export as…',
    about: 'Files are made of the clip as it is saved now, here on this machine.',
    notSaved: 'Your last edits are not saved yet: the file would not have them.',
    choose: 'What to export',
    groups: {
      video: 'Video',
      timeline: 'For editing programs',
      captions: 'Captions alone',
      sound: 'Sound',
      preview: 'Previews',
      words: 'Words',
    },
    optionOf: (label: string, extension: string) => `${label} (.${extension})`,
    export: 'Export',
    checking: 'Trying the encoder…',
    made: 'Made of this clip',
    none: 'Nothing has been exported yet.',
    waiting: 'Waiting for its turn',
    going: (percent: number) => `${percent} %`,
    progressOf: (label: string) => `Progress of “${label}”`,
    failed: 'It could not be made. Try again.',
    old: 'Made before your last edits.',
    removed: (when: string) => `Kept until ${when}.`,
    downloadOf: (label: string) => `Download “${label}”`,
    stopOf: (label: string) => `Stop “${label}”`,
    captionsOf: (format: string) => `Download captions as ${format}`,
  },
}

export const { exportMessages } = inLanguage({ en })
