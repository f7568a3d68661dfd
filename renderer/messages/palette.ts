/** The texts of the clip editor's command palette. */
import { inLanguage } from './language.ts'

const en = {
  title: 'Commands',
  tooltip: 'Commands (Ctrl K)',
  search: 'Search commands',
  placeholder: 'Type a command, or what to change',
  found: 'Commands found',
  nothing: 'No command is called so. Try “captions”, “cut”, “zoom”, or say what to change.',
  sentence: (text: string) => `Do “${text}”`,
  apply: 'Apply',
  back: 'All commands',
  on: 'On',
  off: 'Off',
  unset: 'Not set',
  wrong: (field: string) => `Check “${field}”: the value is missing, or out of bounds.`,
  bounds: (least: number, most: number) => `${least} to ${most}`,
}

export const paletteMessages = inLanguage({ en })
