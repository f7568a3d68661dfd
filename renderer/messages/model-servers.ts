/** What the settings say of servers of the studio's own: a language model, and one that transcribes. */
import { inLanguage } from './common.ts'

const en = {
  modelServer: {
    lead: 'Servers of your own that Cutroom may use. Both are optional: it works without them.',
    titles: { 'language-model': 'Language model', 'speech-server': 'Speech server' },
    about: {
      'language-model':
        'A language model of your own, reached over the API that Ollama, llama.cpp, vLLM and LM Studio share, can read transcripts and help to choose clips.',
      'speech-server':
        'A server of your own that transcribes, reached over the API that whisper.cpp, vLLM and speaches share, takes the place of the speech model on this machine.',
    },
    leaves: {
      'language-model': 'Transcripts are sent to it, and nothing else.',
      'speech-server': 'The sound of each video is sent to it, and nothing else.',
    },
    example: { 'language-model': 'http://127.0.0.1:11434/v1', 'speech-server': 'http://127.0.0.1:8000/v1' },
    modelExample: { 'language-model': 'qwen3:14b', 'speech-server': 'whisper-large-v3' },
    address: 'Address',
    model: 'Model',
    notSet: 'not set',
    key: 'Key (optional)',
    keyFact: 'Key',
    keyGiven: 'given',
    keyMissing: 'none',
    keyKept: 'Stored. Leave empty to keep it.',
    save: 'Save',
    saved: 'Saved. It holds from the next run on.',
    saving: 'Saving…',
    remove: 'Remove',
    removed: 'Removed.',
    testing: 'Testing…',
    test: 'Test',
    result: (text: string, ms: number) => `${text} (${ms} ms)`,
    byMachine: 'Set by whoever runs the appliance.',
    howTo: 'To change it, set these where the appliance runs, then restart it:',
  },
}

export const { modelServer } = inLanguage({ en })
