/** Configurations of pictures and sounds that nodes add. Every field is optional. */
import type { Static } from '@sinclair/typebox'
import {
  booleanField,
  describedObject,
  mediaUrlField,
  numberField,
  textField,
  unitField,
  urlField,
  choiceField,
  colourField,
} from './config-fields.ts'

/** A picture shown on the clip throughout. */
export const WatermarkConfig = describedObject('Watermark picture and placement', {
  enabled: booleanField('Show the watermark', true),
  url: mediaUrlField('Picture or video of the watermark'),
  position: numberField(
    'Place on a three by three grid, read like a page: 1 top left, 5 centre, 9 bottom right (default 3); x and y win',
  ),
  size: numberField('Width, percent of the picture (default 16); 1 or less is a share', { minimum: 0 }),
  padding: numberField('Distance from the edges, percent of the width (default 4)', { minimum: 0 }),
  opacity: unitField('Opacity, 0 to 1', 1),
  x: numberField('Centre, percent of the width'),
  y: numberField('Centre, percent of the height'),
  startOffset: numberField('Seconds after the start of the clip at which it appears', { minimum: 0 }),
  endOffset: numberField('Seconds before the end of the clip at which it goes', { minimum: 0 }),
  animationDuration: numberField(
    'Seconds that its coming and going take (default 0.5 for a named transition)',
    { minimum: 0 },
  ),
  introTransitionId: textField('How it comes: fade, slideInLeft, zoomOut and the like', 100),
  outroTransitionId: textField('How it goes: fade, slideInLeft, zoomOut and the like', 100),
})
export type WatermarkConfig = Static<typeof WatermarkConfig>

export const BackgroundMusicOption = describedObject('Music under the clip', {
  id: textField('Id of the track', 200),
  name: textField('Name of the track'),
  url: mediaUrlField('Audio file'),
  thumbnailUrl: urlField('Picture of the track'),
  duration: numberField('Length in seconds', { minimum: 0 }),
  volume: unitField('Loudness, 0 to 1'),
})
export type BackgroundMusicOption = Static<typeof BackgroundMusicOption>

export const OutroMusicOption = describedObject('Music under the end card', {
  url: mediaUrlField('Audio file'),
  volume: unitField('Loudness, 0 to 1'),
})

export const EndCardOption = describedObject('Card at the end of the clip', {
  url: mediaUrlField('Picture or video of the card'),
  duration: numberField(
    'Seconds that the card is shown; to the end of the clip, or 3 after it, when left out',
    { minimum: 0 },
  ),
  secondsBeforeEnd: numberField(
    'Seconds before the end of the clip at which it starts; left out, it follows the clip',
    { minimum: 0 },
  ),
  isVideo: booleanField('The card is a video'),
  opacity: unitField('Opacity, 0 to 1', 1),
  videoDuration: numberField('Length of the card video in seconds', { minimum: 0 }),
  volume: unitField('Loudness of the card video, 0 to 1'),
})
export type EndCardOption = Static<typeof EndCardOption>

const percent = { minimum: 0, maximum: 100 }

export const AudiogramConfig = describedObject('Look of the wave', {
  enabled: booleanField('Draw the wave', true),
  backgroundColor: colourField('Behind everything; on a video it covers the picture'),
  backgroundUrl: mediaUrlField('Picture behind everything; on a video it covers the picture'),
  waveColor: colourField('Colour of the wave'),
  waveStyle: choiceField('Form of the wave; the preset’s own where none is given', [
    'bars',
    'line',
    'mirror',
  ]),
  x: numberField('Centre, percent of the width', percent),
  y: numberField('Centre, percent of the height', percent),
  width: numberField('Percent of the width', percent),
  height: numberField('Percent of the height', percent),
  showCover: booleanField('Show the cover picture; where there is one it is shown unless this is off'),
  coverUrl: mediaUrlField('Cover picture, shown as a square; else the one in the sound file'),
})
export type AudiogramConfig = Static<typeof AudiogramConfig>

/** What is done to the sound of the source; nothing where it is left out. */
export const SoundConfig = describedObject('Cleaning of the recorded sound', {
  noiseReduction: choiceField(
    'Lowers steady noise such as hiss, wind of fans and traffic; strong also takes a little of the voice',
    ['off', 'light', 'strong'],
    'off',
  ),
  humFilter: booleanField('Takes out the hum of mains (50 or 60 Hz) where there is some', false),
  dereverb: booleanField('Lowers the tail of the room a little', false),
  levelSpeakers: booleanField('Brings all speakers to one loudness', false),
})
export type SoundConfig = Static<typeof SoundConfig>
