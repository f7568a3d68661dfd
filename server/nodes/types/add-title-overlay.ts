import { Type } from '@sinclair/typebox'
import { ALIAS_OF, booleanField, closedObject } from '../../contract/config-fields.ts'
import { TitleConfig } from '../../contract/text-configs.ts'
import { compileTitle } from '../compose/title.ts'
import { assetNeed } from '../pictures/asset.ts'
import { declareNode } from '../declare.ts'
import { deepMerge, isPlainObject, omit, own } from '../merge.ts'

/** Shows a headline over the first seconds. */
export const addTitleOverlay = declareNode({
  type: 'add_title_overlay',
  label: 'Add title overlay',
  config: closedObject({
    enabled: booleanField('Show the headline', true),
    title_config: Type.Optional(TitleConfig),
    titleConfig: Type.Optional({
      ...TitleConfig,
      description: 'Another name of title_config, which wins',
      deprecated: true,
      [ALIAS_OF]: 'title_config',
    }),
  }),
  hiddenBy: 'title_config',
  normalise(config) {
    const alias = own(config, 'titleConfig')
    if (!isPlainObject(alias)) return config
    const title = own(config, 'title_config')
    return {
      ...omit(config, 'titleConfig'),
      title_config: isPlainObject(title) ? deepMerge(alias, title) : alias,
    }
  },
  assets: ({ title_config: title }) => assetNeed(title?.fontUrl, 'font'),
  measures: ({ title_config: title }) =>
    title?.avoidFaces === true || title?.positionDynamically === true ? ['faces'] : [],
  compile: (config, context) => compileTitle(config.title_config ?? {}, context),
})
