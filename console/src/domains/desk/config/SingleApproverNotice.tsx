import { ABILITY, abilityLabels } from '@hengtai/contract/authority/ability';
import { approval } from '@hengtai/contract/desk/approval/calls';
import { useRead } from '../../../api/hooks.ts';
import { useMe } from '../../../api/me.ts';
import { PageLink } from '../../../navigation/PageLink.tsx';

const ABILITY_LABEL = `「${abilityLabels[ABILITY.approval]}」`;

/** Warns that policies block their actions if no second operator can approve, and names the two solutions. */
export function SingleApproverNotice() {
  const me = useMe();
  const { data } = useRead(approval.checkers, {});
  // Only the admin sees all operators, so only the admin gets a reliable count.
  if (!data || !me.top) return null;
  if (data.others > 0) {
    return (
      <p className="ht-config-note">
        除您以外，还有 {data.others} 位启用的操作员可以复核，其中 {data.whole} 位管辖全部代理。
        {data.whole === 0 && '没有人能复核总部直属用户的操作：需要时请开通一位「总部人员」。'}
      </p>
    );
  }
  return (
    <div className="ht-config-lone" role="status">
      <p>
        <b>目前只有您一位操作员可以复核。</b>
        提交人不能复核自己的操作，所以触发复核的操作提交后无人能通过，24 小时后过期。
      </p>
      <p>
        请在 <PageLink to="/agent">代理管理</PageLink> 中为另一位操作员开通{ABILITY_LABEL}权限；
        如果确实只有一个人，请在下表中逐项将策略改为「关闭」，每次修改都会记入审计日志。
      </p>
    </div>
  );
}
