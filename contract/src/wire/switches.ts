/** Labels of two-valued fields. */
export const onOffLabels = { 1: '开', 0: '关' } as const;
export const enabledLabels = { 1: '正常', 0: '停用' } as const;
export const frozenLabels = { 1: '正常', 0: '冻结' } as const;
