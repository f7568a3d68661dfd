import { withCaptions } from './captions.ts'
import { declareCommand, edited, rule } from './declare.ts'

const UPPER = '(?:upper ?case|upper-case|all caps|capitals?|all capitals|capital letters|caps|block letters)'
const LOWER = '(?:lower ?case|lower-case|small letters|all lower ?case)'
const THE = '(?:{make} |write )?(?:the |my )?{captions}(?: all)?(?: (?:in|to|into|be))?'
const SAID = {
  uppercase: 'in capitals',
  lowercase: 'in small letters',
  capitalize: 'with a capital on each word',
  none: 'as they are spoken',
} as const

export const captionCase = declareCommand({
  name: 'caption_case',
  examples: ['captions in uppercase', 'make the captions lowercase'],
  rules: [
    rule(
      `${THE} ${UPPER}|(?:use )?${UPPER} (?:for )?(?:the )?{captions}|(?:capitali[sz]e all|uppercase) (?:the )?{captions}`,
      () => ({ textCase: 'uppercase' as const }),
    ),
    rule(
      `${THE} ${LOWER}|(?:use )?${LOWER} (?:for )?(?:the )?{captions}|lowercase (?:the )?{captions}`,
      () => ({ textCase: 'lowercase' as const }),
    ),
    rule(
      `${THE} (?:title case|capitali[sz]ed)|(?:capitali[sz]e (?:every word|each word)(?: of the {captions})?|capitali[sz]e (?:the )?{captions})`,
      () => ({ textCase: 'capitalize' as const }),
    ),
    rule(
      `${THE} (?:normal case|sentence case|as spoken|as they are spoken|mixed case)|(?:no|without) (?:all caps|capitals|uppercase)`,
      () => ({ textCase: 'none' as const }),
    ),
  ],
  run: (edit, _context, { textCase }) =>
    edited(withCaptions(edit, { textCase }), `Captions are written ${SAID[textCase]}.`),
})
