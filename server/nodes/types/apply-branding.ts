import { Type } from '@sinclair/typebox'
import { booleanField, closedConfig, textField, urlField } from '../../contract/config-fields.ts'
import { TitleConfig } from '../../contract/title-config.ts'
import { WatermarkConfig } from '../../contract/watermark-config.ts'
import { declareNode } from '../declare.ts'

/**
 * The brand of the company: watermark, title, outro and overlay. Its title styling is the base of the title node's
 * (see new-clip-document); the other parts are kept on the document and not drawn by this version.
 */
export const applyBranding = declareNode({
  type: 'apply_branding',
  label: 'Apply branding',
  config: Type.Object(
    {
      enabled: booleanField('Apply the brand', true),
      style: textField('Style of the brand', 200),
      watermark_config: Type.Optional(WatermarkConfig),
      outro_music_url: urlField('Music under the end card'),
      outro_card_url: urlField('Picture or video of the end card'),
      overlay_url: urlField('Picture over the whole clip'),
      title_config: Type.Optional(TitleConfig),
    },
    closedConfig,
  ),
  compile(config) {
    const parts = [
      config.watermark_config?.url === undefined ? '' : 'watermark',
      config.outro_card_url === undefined ? '' : 'end card',
      config.outro_music_url === undefined ? '' : 'outro music',
      config.overlay_url === undefined ? '' : 'overlay',
    ].filter((part) => part !== '')
    return parts.length === 0
      ? {}
      : {
          warnings: [
            `apply_branding is not rendered by this version, save for its title (${parts.join(', ')}).`,
          ],
        }
  },
})
