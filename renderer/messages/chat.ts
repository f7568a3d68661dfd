/** What the chat about a clip says. */
import { inLanguage } from './language.ts'

const en = {
  answer: {
    done: 'Done:',
    notDone: 'Not done:',
    changes: 'What changed',
    to: 'to',
    undone: 'Undone.',
    help: 'Commands, and ways to say them:',
  },
  panel: {
    starters: {
      cutSentence: 'cut the first sentence',
      yellowCaptions: 'make the captions yellow',
      cleanUp: 'remove the ums and the pauses',
      zoom: 'zoom in here',
      help: 'what can you do?',
    },
    label: 'Chat about this clip',
    empty:
      'Say what to change, in plain English. Each message is one undo step; nothing is rendered or published from here.',
    asking: (model: string) => `Asking ${model}…`,
    request: 'What to change',
    placeholder: 'cut the first sentence, make the captions yellow …',
    send: 'Send',
    rulesThenModel: (model: string) => `Understood by rules, or else by ${model}.`,
    rulesBecause: (why: string) => `Understood by rules. ${why}`,
    rulesOnly: 'Understood by rules on this machine.',
    clear: 'Clear chat',
  },
}

export const chatMessages = inLanguage({ en })
