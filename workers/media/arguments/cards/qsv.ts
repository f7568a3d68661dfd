import type { Card } from './card.ts'

export const qsv: Card = {
  name: 'qsv',
  title: 'Intel (Quick Sync)',
  setting: 'qsv',
  platforms: ['linux', 'win32'],
  hwaccel: 'qsv',
  filters: ['vpp_qsv'],
  input: () => ['-hwaccel', 'qsv', '-hwaccel_output_format', 'qsv'],
  scale: ({ width, height }, format) => `vpp_qsv=w=${width}:h=${height}:format=${format}`,
}
