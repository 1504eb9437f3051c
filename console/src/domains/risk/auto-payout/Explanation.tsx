import { Section } from '../../../ui/page/Section.tsx';

/** What an operator reads before the first coin is switched on. */
export const Explanation = () => (
  <Section title="默认关闭">
    <div className="ht-auto-payout-explanation">
      <p>目前所有提现都由人工审核。开启一个币种后，同时满足以下各项的提现由「系统」在数百毫秒内通过并打款：</p>
      <ol>
        <li>没有被任何规则拦截、禁止自动或要求多人，且有规则在运行。</li>
        <li>在您设定的额度之内：每日数量与笔数、单个用户每日数量、按认证等级的单笔数量。</li>
        <li>用户未冻结、没有未处理的告警，按复核策略一个人即可通过。</li>
      </ol>
      <p>
        打款失败、结果不明，或钱包报告重复、意外的打款时自行暂停；有「提现审核」权限的操作员随时可以一键暂停。每一笔都记录依据，并按比例抽出由人复查。
      </p>
    </div>
  </Section>
);
