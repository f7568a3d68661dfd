import { declareCommand, edited, given, rule } from './declare.ts'
import { nodeConfig, withNode } from './nodes.ts'

const AUTO = '(?:smart|auto|automatic|auto-?matic|ai|dynamic) ?-?zooms?(?:ing)?'

export const autoZooms = declareCommand({
  name: 'auto_zooms',
  examples: ['turn on smart zoom', 'no automatic zooms'],
  rules: [
    rule(`{off} (?:the )?${AUTO}|${AUTO} off`, () => ({ on: false })),
    rule(`{on} (?:the )?(?:(?:a )?(?<more>lots of|many|more|frequent) )?${AUTO}|${AUTO} on`, (found) =>
      given<{ on: boolean; frequency?: 'high' }>({
        on: true,
        frequency: found.text('more') === null ? null : 'high',
      }),
    ),
    rule(
      'zoom (?:in )?(?:automatically|by itself|on its own)|choose the zooms (?:yourself|for me|automatically)',
      () => ({ on: true }),
    ),
  ],
  run(edit, context, { on, frequency }) {
    const { smart_zoom_config: inner } = nodeConfig(edit, context, 'smart_zoom')
    const before = typeof inner === 'object' && inner !== null ? inner : {}
    const config = { smart_zoom_config: { ...before, enabled: true, ...given({ frequency }) } }
    const next = withNode(edit, context, 'smart_zoom', on ? { on, config } : { on })
    if (!on) return edited(next, 'No zooms are chosen by themselves.')
    const own = edit.zooms === null ? '' : ' They stand in the place of yours.'
    return edited({ ...next, zooms: null }, `Zooms are chosen by themselves.${own}`)
  },
})
