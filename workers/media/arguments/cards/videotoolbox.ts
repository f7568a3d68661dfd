import type { Card } from './card.ts'

export const videotoolbox: Card = {
  name: 'videotoolbox',
  title: 'Apple (VideoToolbox)',
  setting: 'videotoolbox',
  platforms: ['darwin'],
  hwaccel: 'videotoolbox',
  // Since 7.0; it keeps the form of what was decoded.
  filters: ['scale_vt'],
  input: () => ['-hwaccel', 'videotoolbox', '-hwaccel_output_format', 'videotoolbox_vld'],
  scale: ({ width, height }) => `scale_vt=w=${width}:h=${height}`,
}
