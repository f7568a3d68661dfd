import { Type } from '@sinclair/typebox'
import {
  booleanField,
  closedObject,
  describedObject,
  numberField,
  textField,
  urlField,
} from '../../contract/config-fields.ts'
import { declareNode } from '../declare.ts'
import { assetNeed } from '../pictures/asset.ts'
import { compileSecondVideo, secondVideoUrl } from '../pictures/second-video.ts'

/** Plays an unrelated, busy video in half of the picture. */
export const addBrainrot = declareNode({
  type: 'add_brainrot',
  label: 'Add second video',
  config: closedObject({
    enabled: booleanField('Add the second video', true),
    brainrot_config: Type.Optional(
      describedObject('Which video, and where', {
        category: textField(
          'Folder or tag of the library from which a video is picked for each clip, unless videoUrl names one',
          100,
        ),
        cropPosition: textField('Part of the video that is shown: left, right, top, bottom, center', 100),
        randomVideoUrl: booleanOrUrl(),
        verticalY: numberField(
          'Centre of the second video, percent of the height, usually 75: it fills the picture from there to the nearer edge and as far the other way',
        ),
        videoUrl: urlField('The video'),
      }),
    ),
  }),
  assets: (config, { secondVideos = [] }) =>
    assetNeed(secondVideoUrl(config.brainrot_config ?? {}, secondVideos), 'video'),
  compile: (config, context) => compileSecondVideo(config.brainrot_config ?? {}, context),
})

/** Clients send either a switch or the address that was drawn. */
function booleanOrUrl() {
  return Type.Optional(
    Type.Union([Type.Boolean(), Type.String({ maxLength: 8192 })], {
      description:
        'true: pick a video of the library, from the category, or else from a folder named brainrot or gameplay; or the address of one that was drawn',
    }),
  )
}
