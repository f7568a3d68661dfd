/**
 * The appliance's sentences in an editor's words. They name settings of the environment and commands, for those who run
 * it and for the APIs; in the studio they say what to see to, and Operated.svelte has the names. PURE.
 */
import { operated as messages } from '../messages/common.ts'

/** Whether a text is for whoever runs the appliance. */
export const isForOperators = (text: string): boolean => /CUTROOM_|\bcutroom [a-z]/.test(text)

/** `CUTROOM_ALLOWED_HOSTS` → the setting “allowed hosts”. */
const setting = (_all: string, name: string): string =>
  messages.setting(name.toLowerCase().replaceAll('_', ' '))

/** The same sentence without names of variables, commands and formats. */
export const inPlainWords = (text: string): string =>
  text
    .replaceAll(/ \("\w+" in config\.json\)/g, '')
    .replaceAll(/\bwith: cutroom models install [\w-]+(?: --from FOLDER)?/g, messages.underModels)
    .replaceAll(/[`"“]cutroom [^`"”]*[`"”]|\bcutroom [a-z]+(?: [a-z]+)?/g, messages.commandLine)
    .replaceAll(/CUTROOM_(\w+)(?:=\w+)?/g, setting)
    .replaceAll(/\bis not JSON\b/g, messages.unreadable)
