(* What rs_round_quotient() of csrc/numerics.c does in double precision: the estimate that it begins
   with, and the comparison that nearly always decides, RS-NUM-7. An operation of doubles is that of
   real numbers, rounded, as RS-NUM-26 has it. *)
Require Import Reals ZArith Lra Lia Psatz Bool.
From Flocq Require Import Core Relative.
From Rankspec.core Require Import Words Model Enclosures Numerics Products Quotient.
Open Scope R_scope.

Definition u := / 9007199254740992. (* 2^-53 *)

(** What rounding to a double changes a number by that is not below the normal ones *)
Lemma double_near x : bpow radix2 (-1022) <= x -> x * (1 - u) <= double x <= x * (1 + u).
Proof.
  intros H; pose proof (bpow_gt_0 radix2 (-1022)) as P.
  destruct (relative_error_N_FLT_ex radix2 (-1074) 53 ltac:(reflexivity) (fun z => negb (Z.even z))
    x) as (e & E & D).
  { rewrite Rabs_pos_eq by lra; exact H. }
  fold (double x) in D; change (round radix2 (FLT_exp (-1074) 53) ZnearestE x) with (double x) in
    D; rewrite D.
  apply Rabs_le_inv in E; change (bpow radix2 (- (53) + 1)) with (/ 4503599627370496) in E;
    unfold u; split;
    apply Rmult_le_compat_l; lra.
Qed.
Lemma double_0 : double 0 = 0.
Proof. apply round_0, valid_rnd_N. Qed.
Lemma double_nonneg_near x : x = 0 \/ bpow radix2 (-1022) <= x -> x * (1 - u) <= double x <= x * (1
  + u).
Proof. intros [->|H]; [rewrite double_0; lra|apply double_near, H]. Qed.
Lemma small n : (n <= 0)%Z -> (-1022 <= n)%Z -> forall x, bpow radix2 n <= x -> bpow radix2 (-1022)
  <= x.
Proof. intros _ N x H; eapply Rle_trans; [apply bpow_le, N|exact H]. Qed.

(** numerics.h: rs_approximately *)
Definition approximately x := double (double (double (IZR (x / 2 ^ 62)) * 4611686018427387904) +
  double (IZR (x mod 2 ^ 62))).
Lemma whole_near n : (0 <= n)%Z -> IZR n * (1 - u) <= double (IZR n) <= IZR n * (1 + u).
Proof.
  intros N; apply double_nonneg_near; destruct (Z.eq_dec n 0) as [->|]; [left; reflexivity|right].
  apply (small 0); [lia|lia|]; change (bpow radix2 0) with 1; apply IZR_le; lia.
Qed.
Lemma approximately_near x : (0 < x < 2 ^ 125)%Z -> IZR x * (1 - 4 * u) <= approximately x <= IZR x
  * (1 + 4 * u).
Proof.
  intros X; unfold approximately; pose proof (Z.div_mod x (2 ^ 62) ltac:(lia)) as D;
    pose proof (Z.mod_pos_bound x (2 ^ 62) ltac:(lia)) as M.
  pose proof (Z.div_pos x (2 ^ 62) ltac:(lia) ltac:(lia)) as Q; set (h := (x / 2 ^ 62)%Z) in *;
    set (l := (x mod 2 ^ 62)%Z) in *.
  pose proof (whole_near h Q) as H1; pose proof (whole_near l (proj1 M)) as H2.
  assert (IZR x = IZR h * 4611686018427387904 + IZR l) as E by (rewrite D, plus_IZR, mult_IZR;
    change (IZR (2 ^ 62)) with 4611686018427387904; ring).
  assert (0 <= IZR h) as PH by (apply IZR_le; lia); assert (0 <= IZR l) as PL by (apply IZR_le;
    lia).
  assert (1 <= IZR x) as PX by (apply IZR_le; lia); set (dh := double (IZR h)) in *;
    set (dl := double (IZR l)) in *;
    unfold u in *.
  assert (dh * 4611686018427387904 = 0 \/ bpow radix2 (-1022) <= dh * 4611686018427387904) as C.
  { destruct (Z.eq_dec h 0) as [Z0|N]; [left; rewrite Z0 in H1; lra|right; apply (small 0);
    [lia|lia|]].
    change (bpow radix2 0) with 1; assert (1 <= IZR h) by (apply IZR_le; lia); lra. }
  pose proof (double_nonneg_near _ C) as H3; set (dm := double (dh * 4611686018427387904)) in *;
    unfold u in H3.
  assert (bpow radix2 (-1022) <= dm + dl) as C2 by (apply (small (-1)); [lia|lia|];
    change (bpow radix2 (-1)) with (/ 2); lra).
  pose proof (double_near _ C2) as H4; unfold u in H4; lra.
Qed.

(** The estimate, and its reciprocal *)
Definition inverse b := double (1 / approximately b).
Definition estimated a b := double (approximately a * inverse b).
Lemma bpow_le_1 n : (0 <= n)%Z -> bpow radix2 (- n) * IZR (2 ^ n) = 1.
Proof. intros; rewrite (IZR_Zpower radix2) by assumption; rewrite <- bpow_plus, Z.add_opp_diag_l;
  reflexivity. Qed.
Lemma estimated_near a b : (0 < a < 2 ^ 120)%Z -> (0 < b < 2 ^ 120)%Z ->
  IZR a * (1 - 12 * u) <= estimated a b * IZR b <= IZR a * (1 + 12 * u).
Proof.
  intros A B; pose proof (approximately_near a ltac:(lia)) as HA;
    pose proof (approximately_near b ltac:(lia)) as HB;
    unfold estimated, inverse.
  set (a' := approximately a) in *; set (b' := approximately b) in *; unfold u in *.
  assert (1 <= IZR a) as PA by (apply IZR_le; lia); assert (1 <= IZR b) as PB by (apply IZR_le;
    lia).
  assert (IZR b <= IZR (2 ^ 120)) as TB by (apply IZR_le; lia).
  assert (0 < b') as P by lra; assert (0 < / b') as PI by (apply Rinv_0_lt_compat; assumption).
  assert (bpow radix2 (-121) * b' <= 1) as SB.
  { pose proof (bpow_le_1 121 ltac:(lia)) as E; pose proof (bpow_gt_0 radix2 (- (121))) as G;
    change (- (121))%Z with (-121)%Z in *; rewrite <- E.
    apply Rmult_le_compat_l; [lra|]; change (IZR (2 ^ 121)) with
      (2658455991569831745807614120560689152);
      change (IZR (2 ^ 120)) with 1329227995784915872903807060280344576 in TB; lra. }
  assert (bpow radix2 (-121) <= / b') as LB.
  { apply (Rmult_le_reg_r b'); [assumption|]; rewrite Rinv_l by lra; exact SB. }
  assert (1 / b' = / b') as -> by (unfold Rdiv; ring).
  pose proof (double_near (/ b') (small (-121) ltac:(lia) ltac:(lia) _ LB)) as HI;
    set (i := double (/ b')) in *;
    unfold u in HI.
  pose proof (bpow_gt_0 radix2 (-121)) as G; assert (0 < i) as P1 by lra.
  assert (bpow radix2 (-123) <= a' * i) as LE.
  { assert (bpow radix2 (-123) = bpow radix2 (-121) * / 4) as -> by (change (-123)%Z with (-121 +
    -2)%Z; rewrite bpow_plus;
    reflexivity).
    apply Rle_trans with (/ 2 * (/ 2 * bpow radix2 (-121))); [lra|]; apply Rmult_le_compat; lra. }
  pose proof (double_near (a' * i) (small (-123) ltac:(lia) ltac:(lia) _ LE)) as HE;
    set (e := double (a' * i)) in *;
    unfold u in HE.
  assert (1 * (1 - / 9007199254740992) <= i * b' <= 1 * (1 + / 9007199254740992)) as IB.
  { assert (/ b' * b' = 1) as RB by (apply Rinv_l; lra).
    assert (forall c, 1 * c = / b' * c * b') as C by (intros c; transitivity (/ b' * b' * c);
      [rewrite RB; ring|ring]).
    rewrite !C; split; apply Rmult_le_compat_r; lra. }
  assert (a' * (i * b') * (1 - / 9007199254740992) <= e * b' <= a' * (i * b') * (1 + /
    9007199254740992)) as EB.
  { split; [replace (a' * (i * b') * (1 - / 9007199254740992)) with (a' * i * (1 - /
    9007199254740992) * b') by ring|
      replace (a' * (i * b') * (1 + / 9007199254740992)) with (a' * i * (1 + / 9007199254740992) *
        b') by ring];
        apply Rmult_le_compat_r; lra. }
  assert (a' * (1 - / 9007199254740992) <= a' * (i * b') <= a' * (1 + / 9007199254740992)) as AI by
    (split;
    apply Rmult_le_compat_l; lra).
  assert (0 < a' * i) as PAI by (apply Rmult_lt_0_compat; lra); assert (0 <= e) as PE by lra.
  assert (e * (IZR b * (1 - 4 * / 9007199254740992)) <= e * b' <= e * (IZR b * (1 + 4 * /
    9007199254740992))) as EI by (split;
    apply Rmult_le_compat_l; lra).
  lra.
Qed.

(** RS-NUM-7: the first m and s of rs_round_quotient() are near the quotient: m 2^-s is the
    estimate. *)
Theorem estimate_is_near m s a b : few a -> few b -> (0 < low a)%Z -> (0 < low b)%Z -> (2 ^ 52 <= m
  < 2 ^ 53)%Z ->
  IZR m * bpow radix2 (- s) = estimated (low a) (low b) -> near_estimate m s a b.
Proof.
  intros [LA _] [LB _] PA PB M E; pose proof (estimated_near (low a) (low b) ltac:(lia) ltac:(lia))
    as N; rewrite <- E in N;
    clear E.
  unfold near_estimate, scaled_above, scaled_below; unfold u in N.
  assert (1 <= IZR (low a)) as RA by (apply IZR_le; lia); assert (1 <= IZR (low b)) as RB by (apply
    IZR_le; lia).
  assert (4503599627370496 <= IZR m <= 9007199254740991) as RM by (split; apply IZR_le; lia).
  assert (IZR (low a) <= 1329227995784915872903807060280344576) as TA by (apply IZR_le; lia).
  assert (forall A B, (0 < B)%Z -> IZR A * (1 - 12 * / 9007199254740992) <= IZR m * IZR B <= IZR A
    * (1 + 12 * /
    9007199254740992) ->
    (Z.abs (A - m * B) <= 16 * B)%Z) as K.
  { intros A B P [L U]; apply IZR_lt in P; assert (0 <= IZR A) by lra; apply Z.abs_le; split;
    apply le_IZR;
    rewrite ?opp_IZR, minus_IZR, !mult_IZR; change (IZR 16) with 16.
    - assert (IZR m * IZR B <= 9007199254740991 * IZR B) by (apply Rmult_le_compat_r; lra); lra.
    - assert (IZR m * IZR B <= 9007199254740991 * IZR B) by (apply Rmult_le_compat_r; lra); lra. }
  split; [lia|]; destruct (Z.ltb_spec s 0) as [S|S].
  - destruct (Z.ltb_spec 0 s); [lia|]; set (B := (low b * 2 ^ (- s))%Z);
    pose proof (pow_pos (- s) ltac:(lia)) as P2.
    assert (IZR B = IZR (low b) * bpow radix2 (- s)) as EB by (unfold B;
      rewrite mult_IZR, (IZR_Zpower radix2) by lia;
      reflexivity).
    assert (0 < B)%Z as PB2 by (unfold B; apply Z.mul_pos_pos; assumption);
      pose proof (IZR_lt _ _ PB2) as RB2.
    replace (IZR m * bpow radix2 (- s) * IZR (low b)) with (IZR m * IZR B) in N by (rewrite EB;
      ring); split; [|apply K;
      assumption].
    apply lt_IZR; change (IZR (2 ^ 121)) with 2658455991569831745807614120560689152.
    assert (4503599627370496 * IZR B <= IZR m * IZR B) by (apply Rmult_le_compat_r; lra); lra.
  - split; [lia|]; set (A := if (0 <? s)%Z then (low a * 2 ^ s)%Z else low a).
    assert (IZR A = IZR (low a) * bpow radix2 s) as EA.
    { unfold A; destruct (Z.ltb_spec 0 s); [rewrite mult_IZR, (IZR_Zpower radix2) by lia;
      reflexivity|].
      replace s with 0%Z by lia; change (bpow radix2 0) with 1; ring. }
    apply K; [assumption|]; rewrite EA; pose proof (bpow_gt_0 radix2 s) as P.
    assert (bpow radix2 (- s) * bpow radix2 s = 1) as I by (rewrite <- bpow_plus, Z.add_opp_diag_l;
      reflexivity).
    replace (IZR m * IZR (low b)) with (IZR m * bpow radix2 (- s) * IZR (low b) * bpow radix2 s) by
      (transitivity (IZR m * IZR
      (low b) * (bpow radix2 (- s) * bpow radix2 s)); [ring|rewrite I; ring]).
    split; [apply Rle_trans with (IZR (low a) * (1 - 12 * / 9007199254740992) * bpow radix2
      s)|apply Rle_trans with (IZR (low
      a) * (1 + 12 * / 9007199254740992) * bpow radix2 s)].
    + right; ring.
    + apply Rmult_le_compat_r; lra.
    + apply Rmult_le_compat_r; lra.
    + right; ring.
Qed.

(** * The comparison in double precision *)

(** Any number, as its double: small is 2^-1075 *)
Definition least := bpow radix2 (-800).
Lemma least_small : 0 < least <= / 2658455991569831745807614120560689152.
Proof.
  unfold least; split; [apply bpow_gt_0|].
  replace (/ 2658455991569831745807614120560689152) with (bpow radix2 (-121)) by (change (-121)%Z
    with (- (121))%Z;
    rewrite bpow_opp; reflexivity).
  apply bpow_le; lia.
Qed.
Lemma double_off x : Rabs (double x - x) <= u * Rabs x + bpow radix2 (-1075).
Proof.
  destruct (error_N_FLT radix2 (-1074) 53 ltac:(reflexivity) (fun z => negb (Z.even z)) x) as (e &
    t & E & T & _ & D).
  change (round radix2 (FLT_exp (-1074) 53) ZnearestE x) with (double x) in D; rewrite D.
  replace (x * (1 + e) + t - x) with (e * x + t) by ring; eapply Rle_trans; [apply Rabs_triang|];
    rewrite Rabs_mult.
  apply Rplus_le_compat.
  - apply Rmult_le_compat_r; [apply Rabs_pos|]; change (bpow radix2 (- (53) + 1)) with (/
    4503599627370496) in E; unfold u; lra.
  - eapply Rle_trans; [exact T|]; replace (bpow radix2 (-1075)) with (/ 2 * bpow radix2 (-1074));
    [lra|].
    change (-1075)%Z with (-1 + -1074)%Z; rewrite bpow_plus; reflexivity.
Qed.
Lemma double_from x : 0 <= x -> x * (1 - u) - bpow radix2 (-1075) <= double x <= x * (1 + u) + bpow
  radix2 (-1075).
Proof. intros H; pose proof (double_off x) as D; rewrite (Rabs_pos_eq x) in D by assumption;
  apply Rabs_le_inv in D; lra. Qed.
Lemma tiny : 0 < bpow radix2 (-1075) <= least * bpow radix2 (-70).
Proof. split; [apply bpow_gt_0|]; unfold least; rewrite <- bpow_plus; apply bpow_le; lia. Qed.

(** A product of three factors, each rounded, lacks no more than this. *)
Lemma slack_from n i p : (0 <= n)%Z -> 0 <= i -> 0 <= p <= bpow radix2 256 ->
  IZR n * i * p * (1 - 4 * u) - 2 * least <= double (double (double (IZR n) * i) * p).
Proof.
  intros N I P; pose proof (whole_near n N) as H0; pose proof (IZR_le _ _ N) as PN; unfold u in *;
    set (d := double (IZR n)) in *.
  assert (0 <= d) as D by lra; pose proof (double_from (d * i) ltac:(apply Rmult_le_pos;
    lra)) as H1;
    set (e := double (d * i)) in *; unfold u in H1.
  pose proof tiny as T; pose proof least_small as L; set (t := bpow radix2 (-1075)) in *.
  assert (0 <= e) as E0.
  { unfold e, double; rewrite <- (round_0 radix2 (FLT_exp (-1074) 53) ZnearestE); apply round_le;
    [apply FLT_exp_valid;
    reflexivity|apply valid_rnd_N|apply Rmult_le_pos; lra]. }
  pose proof (double_from (e * p) ltac:(apply Rmult_le_pos; lra)) as H2; unfold u in H2;
    fold t in H2.
  assert (t * p <= least) as TP.
  { apply Rle_trans with (t * bpow radix2 256); [apply Rmult_le_compat_l; lra|]; unfold t, least;
    rewrite <- bpow_plus;
    apply bpow_le; lia. }
  assert (t <= least) as TL by (unfold t, least; apply bpow_le; lia).
  assert (IZR n * i * p * (1 - / 9007199254740992) <= d * i * p) as A.
  { replace (IZR n * i * p * (1 - / 9007199254740992)) with (IZR n * (1 - / 9007199254740992) * (i
    * p)) by ring.
    replace (d * i * p) with (d * (i * p)) by ring; apply Rmult_le_compat_r; [apply Rmult_le_pos;
      lra|lra]. }
  assert (d * i * p * (1 - / 9007199254740992) - t * p <= e * p) as B.
  { replace (d * i * p * (1 - / 9007199254740992) - t * p) with ((d * i * (1 - / 9007199254740992)
    - t) * p) by ring;
    apply Rmult_le_compat_r; lra. }
  assert (0 <= IZR n * i * p) as Q by (repeat apply Rmult_le_pos; lra); lra.
Qed.

Definition approximately_signed x := if (x <? 0)%Z then - approximately (- x) else approximately x.
Lemma approximately_0 : approximately 0 = 0.
Proof. unfold approximately; change (0 / 2 ^ 62)%Z with 0%Z; change (0 mod 2 ^ 62)%Z with 0%Z;
  rewrite double_0, Rmult_0_l, double_0, Rplus_0_l, double_0; reflexivity. Qed.
Lemma approximately_signed_near x : (Z.abs x < 2 ^ 125)%Z -> Rabs (approximately_signed x - IZR x)
  <= 4 * u * Rabs (IZR x).
Proof.
  intros X; unfold approximately_signed; destruct (Z.ltb_spec x 0) as [S|S].
  - pose proof (approximately_near (- x) ltac:(lia)) as N; rewrite opp_IZR in N;
    pose proof (IZR_lt _ _ S);
    rewrite (Rabs_left (IZR x)) by assumption.
    apply Rabs_le; lra.
  - destruct (Z.eq_dec x 0) as [->|]; [rewrite approximately_0, Rminus_0_r, Rabs_R0; lra|].
    pose proof (approximately_near x ltac:(lia)) as N; pose proof (IZR_le _ _ S);
      rewrite (Rabs_pos_eq (IZR x)) by assumption;
      apply Rabs_le; lra.
Qed.

(** 1 / b, as the core has it *)
Lemma inverse_near b : (0 < b < 2 ^ 120)%Z -> 1 - 6 * u <= inverse b * IZR b <= 1 + 6 * u /\ bpow
  radix2 (-122) <= inverse b.
Proof.
  intros B; pose proof (approximately_near b ltac:(lia)) as HB; unfold inverse;
    set (b' := approximately b) in *; unfold u in *.
  assert (1 <= IZR b) as PB by (apply IZR_le; lia); assert (IZR b <= IZR (2 ^ 120)) as TB by (apply
    IZR_le; lia).
  assert (0 < b') as P by lra; assert (0 < / b') as PI by (apply Rinv_0_lt_compat; assumption).
  assert (bpow radix2 (-121) * b' <= 1) as SB.
  { pose proof (bpow_le_1 121 ltac:(lia)) as E; pose proof (bpow_gt_0 radix2 (- (121))) as G;
    change (- (121))%Z with (-121)%Z in *; rewrite <- E.
    apply Rmult_le_compat_l; [lra|]; change (IZR (2 ^ 121)) with
      2658455991569831745807614120560689152;
      change (IZR (2 ^ 120)) with 1329227995784915872903807060280344576 in TB; lra. }
  assert (bpow radix2 (-121) <= / b') as LB.
  { apply (Rmult_le_reg_r b'); [assumption|]; rewrite Rinv_l by lra; exact SB. }
  assert (1 / b' = / b') as -> by (unfold Rdiv; ring).
  pose proof (double_near (/ b') (small (-121) ltac:(lia) ltac:(lia) _ LB)) as HI;
    set (i := double (/ b')) in *;
    unfold u in HI.
  assert (/ b' * b' = 1) as RB by (apply Rinv_l; lra).
  assert (bpow radix2 (-121) = bpow radix2 (-122) * 2) as E2 by (change (-121)%Z with (-122 + 1)%Z;
    rewrite bpow_plus;
    reflexivity).
  pose proof (bpow_gt_0 radix2 (-122)) as G; split; [|lra].
  assert (0 <= i) as I0 by lra.
  assert (1 - / 9007199254740992 <= i * b' <= 1 + / 9007199254740992) as IB.
  { replace (1 - / 9007199254740992) with (/ b' * (1 - / 9007199254740992) * b') by (transitivity
    (/ b' * b' * (1 - /
    9007199254740992)); [ring|rewrite RB; ring]).
    replace (1 + / 9007199254740992) with (/ b' * (1 + / 9007199254740992) * b') by (transitivity
      (/ b' * b' * (1 + /
      9007199254740992)); [ring|rewrite RB; ring]).
    split; apply Rmult_le_compat_r; lra. }
  assert (i * (IZR b * (1 - 4 * / 9007199254740992)) <= i * b' <= i * (IZR b * (1 + 4 * /
    9007199254740992))) as EI by (split;
    apply Rmult_le_compat_l; lra).
  lra.
Qed.

(** The same of B = b 2^-s, where s < 0 *)
Definition inverse_of_B b s := if (s <? 0)%Z then double (inverse b * bpow radix2 s) else inverse b.
Lemma inverse_of_B_near (b : number) s : (0 < low b < 2 ^ 120)%Z -> (-256 <= s)%Z ->
  1 - 8 * u <= inverse_of_B (low b) s * IZR (scaled_below b s) <= 1 + 8 * u /\ 0 <= inverse_of_B
    (low b) s.
Proof.
  intros B S; destruct (inverse_near (low b) B) as [N L]; unfold inverse_of_B, scaled_below;
    pose proof (bpow_gt_0 radix2 (-122)) as G.
  set (i := inverse (low b)) in *; unfold u in *; destruct (Z.ltb_spec s 0); [|lra].
  pose proof (bpow_gt_0 radix2 s) as P; assert (bpow radix2 (-1022) <= i * bpow radix2 s) as X.
  { apply Rle_trans with (bpow radix2 (-122) * bpow radix2 s); [rewrite <- bpow_plus; apply bpow_le;
    lia|apply Rmult_le_compat_r; lra]. }
  pose proof (double_near _ X) as D; pose proof (bpow_gt_0 radix2 (-1022));
    set (e := double (i * bpow radix2 s)) in *;
    unfold u in D; split; [|lra].
  rewrite mult_IZR, (IZR_Zpower radix2) by lia; pose proof (bpow_gt_0 radix2 (- s)) as P2.
  assert (bpow radix2 s * bpow radix2 (- s) = 1) as I by (rewrite <- bpow_plus, Z.add_opp_diag_r;
    reflexivity).
  assert (1 <= IZR (low b)) by (apply IZR_le; lia).
  set (c := IZR (low b) * bpow radix2 (- s)); assert (0 <= c) by (apply Rmult_le_pos; lra).
  assert (i * bpow radix2 s * c = i * IZR (low b)) as E by (unfold c;
    transitivity (i * IZR (low b) * (bpow radix2 s * bpow radix2 (- s))); [ring|rewrite I; ring]).
  assert (i * bpow radix2 s * (1 - / 9007199254740992) * c <= e * c <= i * bpow radix2 s * (1 + /
    9007199254740992) * c) as Q
    by (split; apply Rmult_le_compat_r; lra).
  replace (i * bpow radix2 s * (1 - / 9007199254740992) * c) with (i * bpow radix2 s * c * (1 - /
    9007199254740992)) in Q by
    ring.
  replace (i * bpow radix2 s * (1 + / 9007199254740992) * c) with (i * bpow radix2 s * c * (1 + /
    9007199254740992)) in Q by
    ring.
  rewrite E in Q; lra.
Qed.

(** What the comparison says of the numbers *)
Lemma sum_decides r x w v rho : Rabs (r - rho) <= 400 * u -> Rabs rho <= 90 -> 0 <= w -> w * (1 -
  14 * u) - 2 * least <= x ->
  double (r + x) < v -> v <= / 2 - / 4294967296 -> rho + w < / 2.
Proof.
  intros R Q W X D V; apply Rabs_le_inv in R, Q; pose proof (double_off (r + x)) as O;
    apply Rabs_le_inv in O.
  pose proof least_small as L; pose proof tiny as T; assert (bpow radix2 (-1075) <= least) as TL by
    (unfold least;
    apply bpow_le; lia).
  unfold u in *; set (t := bpow radix2 (-1075)) in *; set (d := double (r + x)) in *; clearbody d t.
  unfold Rabs in O; destruct (Rcase_abs (r + x)); lra.
Qed.
Lemma difference_decides r x w v rho : Rabs (r - rho) <= 400 * u -> Rabs rho <= 90 -> 0 <= w -> w *
  (1 - 14 * u) - 2 * least <=
  x ->
  v < double (r - x) -> / 4294967296 - / 2 <= v -> - / 2 < rho - w.
Proof.
  intros R Q W X D V; apply Rabs_le_inv in R, Q; pose proof (double_off (r - x)) as O;
    apply Rabs_le_inv in O.
  pose proof least_small as L; pose proof tiny as T; assert (bpow radix2 (-1075) <= least) as TL by
    (unfold least;
    apply bpow_le; lia).
  unfold u in *; set (t := bpow radix2 (-1075)) in *; set (d := double (r - x)) in *; clearbody d t.
  unfold Rabs in O; destruct (Rcase_abs (r - x)); lra.
Qed.

(** RS-NUM-7: where the comparison in double precision says that m + off is the nearest, the
    integers say so. off is any number by which m is put right. *)
Theorem in_doubles_decides m s off (a b : number) : few a -> few b -> (0 < low a)%Z -> (0 < low
  b)%Z -> near_estimate m s a b ->
  (-256 <= s <= 256)%Z -> (Z.abs off <= 64)%Z -> (2 ^ 52 < m + off < 2 ^ 53)%Z ->
  let B := scaled_below b s in let R := (scaled_above a s - m * B)%Z in
  let up := if (0 <? s)%Z then s else 0%Z in let down := if (s <? 0)%Z then (- s)%Z else 0%Z in
  let r := double (double (approximately_signed R * inverse_of_B (low b) s) - IZR off) in
  let over := double (double (double (IZR (slack a)) * inverse_of_B (low b) s) * bpow radix2 up) in
  let under := double (double (double (IZR (slack b)) * inverse (low b)) * IZR (m + off)) in
  double (r + over) < / 2 - / 4294967296 -> / 4294967296 - / 2 < double (r - under) ->
  decides (slack a * 2 ^ up) (slack b * 2 ^ down * (m + off)) (m + off) (scaled_above a s - (m +
    off) * B) B.
Proof.
  intros [LA SA] [LB SB] PA PB NE S OFF M B R up down r over under C1 C2; unfold word in *.
  assert (0 < B)%Z as PBZ by (unfold B, scaled_below; destruct (Z.ltb_spec s 0);
    [apply Z.mul_pos_pos; [lia|apply pow_pos;
    lia]|lia]).
  destruct NE as (M0 & BB & NE); cbn zeta in BB, NE; fold B in BB, NE; fold R in NE.
  destruct (inverse_of_B_near b s ltac:(lia) ltac:(lia)) as [IB I0]; fold B in IB;
    destruct (inverse_near (low b) ltac:(lia)) as [IN IN0].
  pose proof (bpow_gt_0 radix2 (-122)) as G122; set (ib := inverse_of_B (low b) s) in *;
    set (i := inverse (low b)) in *.
  pose proof (approximately_signed_near R ltac:(lia)) as AR; set (ar := approximately_signed R) in
    *.
  pose proof (IZR_lt _ _ PBZ) as PBR; assert (0 < / IZR B) as PIB by (apply Rinv_0_lt_compat;
    assumption).
  assert (IZR B * / IZR B = 1) as BI by (apply Rinv_r; lra); set (bi := / IZR B) in *;
    set (Br := IZR B) in *.
  set (rho := IZR R * bi); assert (Rabs (IZR R) <= 16 * Br) as RB by (rewrite <- abs_IZR;
    unfold Br; rewrite <- mult_IZR;
    apply IZR_le; exact NE).
  assert (Rabs rho <= 16) as RHO.
  { unfold rho; rewrite Rabs_mult, (Rabs_pos_eq bi) by lra; replace 16 with (16 * Br * bi) by
    (rewrite Rmult_assoc, BI; ring);
    apply Rmult_le_compat_r; lra. }
  assert (Rabs (ib - bi) <= 8 * u * bi) as DI.
  { assert (ib - bi = (ib * Br - 1) * bi) as -> by (transitivity (ib * (Br * bi) - bi);
    [rewrite BI; ring|ring]).
    rewrite Rabs_mult, (Rabs_pos_eq bi) by lra; apply Rmult_le_compat_r; [lra|apply Rabs_le;
      unfold u in *; lra]. }
  assert (Rabs (ar * ib - rho) <= 200 * u) as DR.
  { replace (ar * ib - rho) with ((ar - IZR R) * ib + IZR R * (ib - bi)) by (unfold rho; ring);
    eapply Rle_trans;
    [apply Rabs_triang|]; rewrite !Rabs_mult.
    rewrite (Rabs_pos_eq ib) by assumption.
    assert (Rabs (ar - IZR R) * ib <= 4 * u * (16 * (1 + 8 * u))) as X1.
    { apply Rle_trans with (4 * u * Rabs (IZR R) * ib); [apply Rmult_le_compat_r; assumption|].
      replace (4 * u * Rabs (IZR R) * ib) with (4 * u * (Rabs (IZR R) * ib)) by ring;
        apply Rmult_le_compat_l; [unfold u; lra|].
      apply Rle_trans with (16 * Br * ib); [apply Rmult_le_compat_r; assumption|lra]. }
    assert (Rabs (IZR R) * Rabs (ib - bi) <= 128 * u) as X2.
    { apply Rle_trans with (16 * Br * (8 * u * bi)); [apply Rmult_le_compat; auto using Rabs_pos|];
      right;
      transitivity (128 * u * (Br * bi)); [ring|rewrite BI; ring]. }
    unfold u in *; lra. }
  pose proof least_small as L; assert (bpow radix2 (-1075) <= least) as TL by (unfold least;
    apply bpow_le; lia).
  assert (Rabs (IZR off) <= 64) as AO by (rewrite <- abs_IZR; apply IZR_le; exact OFF).
  pose proof (double_off (ar * ib)) as D0; set (r0 := double (ar * ib)) in *;
    pose proof (double_off (r0 - IZR off)) as D1;
    fold r in D1.
  assert (Rabs (r - (rho - IZR off)) <= 400 * u) as DRR.
  { apply Rabs_le_inv in DR, RHO, AO; unfold u in *; set (t := bpow radix2 (-1075)) in *;
    clearbody t r r0.
    assert (Rabs (ar * ib) <= 17) as A1 by (apply Rabs_le; lra); apply Rabs_le_inv in D0.
    assert (Rabs (r0 - IZR off) <= 82) as A2 by (apply Rabs_le; lra); apply Rabs_le_inv in D1;
      apply Rabs_le; lra. }
  assert (Rabs (rho - IZR off) <= 90) as RO by (apply Rabs_le_inv in RHO, AO; apply Rabs_le; lra).
  assert (0 <= up <= 256)%Z as UP by (unfold up; destruct (Z.ltb_spec 0 s); lia);
    assert (0 <= down)%Z as DOWN by (unfold down;
    destruct (Z.ltb_spec s 0); lia).
  assert (B = low b * 2 ^ down)%Z as EB by (unfold B, scaled_below, down; destruct (s <? 0)%Z;
    [reflexivity|cbn; lia]).
  set (p := bpow radix2 up) in *; pose proof (bpow_gt_0 radix2 up) as PP; fold p in PP.
  pose proof (IZR_le 0 (slack a) ltac:(lia)) as RSA; pose proof (IZR_le 0 (slack b) ltac:(lia)) as
    RSB;
    pose proof (IZR_lt 0 (m + off) ltac:(lia)) as RM.
  assert (IZR (slack a) * p * bi * (1 - 14 * u) - 2 * least <= over) as OV.
  { pose proof (slack_from (slack a) ib p ltac:(lia) I0 ltac:(split; [lra|apply bpow_le;
    lia])) as F; fold over in F.
    assert ((1 - 8 * u) * bi <= ib) as LIB by (apply Rabs_le_inv in DI; lra).
    assert (IZR (slack a) * p * ((1 - 8 * u) * bi) <= IZR (slack a) * p * ib) as F2 by (apply
      Rmult_le_compat_l;
      [apply Rmult_le_pos; lra|exact LIB]).
    assert (0 <= IZR (slack a) * p * bi) by (repeat apply Rmult_le_pos; lra); unfold u in *; lra. }
  assert (IZR (slack b) * IZR (m + off) * / IZR (low b) * (1 - 14 * u) - 2 * least <= under) as UN.
  { assert (IZR (m + off) <= bpow radix2 256) as MP by (apply Rle_trans with (bpow radix2 53);
    [change (bpow radix2 53) with 9007199254740992; apply IZR_le; lia|apply bpow_le; lia]).
    pose proof (slack_from (slack b) i (IZR (m + off)) ltac:(lia) ltac:(lra) ltac:(lra)) as F;
      fold under in F.
    pose proof (IZR_lt _ _ PB) as PLB; assert (0 < / IZR (low b)) as PI by (apply Rinv_0_lt_compat;
      assumption).
    assert ((1 - 6 * u) * / IZR (low b) <= i) as LI.
    { apply (Rmult_le_reg_r (IZR (low b))); [assumption|]; rewrite Rmult_assoc, Rinv_l by lra;
      lra. }
    assert (IZR (slack b) * IZR (m + off) * ((1 - 6 * u) * / IZR (low b)) <= IZR (slack b) * IZR (m
      + off) * i) as F2 by (apply
      Rmult_le_compat_l; [apply Rmult_le_pos; lra|exact LI]).
    assert (0 <= IZR (slack b) * IZR (m + off) * / IZR (low b)) by (repeat apply Rmult_le_pos;
      lra); unfold u in *; lra. }
  assert (0 <= IZR (slack a) * p * bi) as W1 by (repeat apply Rmult_le_pos; lra).
  assert (0 <= IZR (slack b) * IZR (m + off) * / IZR (low b)) as W2 by (repeat apply Rmult_le_pos;
    try lra;
    apply Rlt_le, Rinv_0_lt_compat, IZR_lt; lia).
  pose proof (sum_decides r over _ _ _ DRR RO W1 OV C1 ltac:(lra)) as Y1;
    pose proof (difference_decides r under _ _ _ DRR RO W2 UN C2 ltac:(lra)) as Y2.
  assert (scaled_above a s - (m + off) * B = R - off * B)%Z as -> by (unfold R; ring).
  unfold decides; destruct (Z.eqb_spec (m + off) (2 ^ 52)); [lia|]; split; apply lt_IZR.
  - assert (IZR (2 ^ up) = p) as EP by (unfold p; apply (IZR_Zpower radix2); lia).
    rewrite mult_IZR, plus_IZR, minus_IZR, !mult_IZR, EP; fold Br; apply (Rmult_lt_reg_r bi);
      [assumption|]; rewrite BI.
    replace (2 * (IZR R - IZR off * Br + IZR (slack a) * p) * bi) with (2 * (rho - IZR off * (Br *
      bi) + IZR (slack a) * p *
      bi)) by (unfold rho; ring); rewrite BI; lra.
  - rewrite opp_IZR, mult_IZR, minus_IZR, minus_IZR, !mult_IZR; fold Br; apply (Rmult_lt_reg_r bi);
    [assumption|].
    replace (- Br * bi) with (- (Br * bi)) by ring; rewrite BI.
    replace (2 * (IZR R - IZR off * Br - IZR (slack b) * IZR (2 ^ down) * IZR (m + off)) * bi)
      with (2 * (rho - IZR off * (Br * bi) - IZR (slack b) * IZR (m + off) * (IZR (2 ^ down) *
        bi))) by (unfold rho; ring);
        rewrite BI.
    assert (IZR (2 ^ down) * bi = / IZR (low b)) as ->.
    { unfold bi, Br; rewrite EB, mult_IZR; pose proof (IZR_lt _ _ (pow_pos down DOWN));
      pose proof (IZR_lt _ _ PB); field;
      lra. }
    lra.
Qed.

(** RS-NUM-7/L1 in part: so the comparison in double precision decides the correctly rounded value,
    if the result is in range *)
Theorem NUM_7_L1_in_doubles m s off (a b : number) : few a -> few b -> (0 < low a)%Z -> (0 < low
  b)%Z -> (2 ^ 52 <= m < 2 ^
  53)%Z ->
  IZR m * bpow radix2 (- s) = estimated (low a) (low b) -> (-256 <= s <= 256)%Z -> (Z.abs off <=
    64)%Z -> (2 ^ 52 < m + off < 2
    ^ 53)%Z ->
  let R := (scaled_above a s - m * scaled_below b s)%Z in
  let r := double (double (approximately_signed R * inverse_of_B (low b) s) - IZR off) in
  let over := double (double (double (IZR (slack a)) * inverse_of_B (low b) s) * bpow radix2 (if (0
    <? s)%Z then s else 0%Z)) in
  let under := double (double (double (IZR (slack b)) * inverse (low b)) * IZR (m + off)) in
  double (r + over) < / 2 - / 4294967296 -> / 4294967296 - / 2 < double (r - under) ->
  (-1022 <= exponent a - exponent b - s)%Z ->
  forall x y, holds a x -> holds b y -> double (x / y) = IZR (m + off) * bpow radix2 (exponent a -
    exponent b - s).
Proof.
  intros FA FB PA PB M E S OFF MO R r over under C1 C2 RANGE x y HX HY.
  pose proof (estimate_is_near m s a b FA FB PA PB M E) as NE.
  pose proof (in_doubles_decides m s off a b FA FB PA PB NE S OFF MO C1 C2) as D.
  apply (decided_nearest a b s (m + off)); try assumption; [destruct FB as [_ [SB _]];
    exact SB|lia].
Qed.

(** RS-NUM-7/L1 in part: rs_round_quotient(), with the estimate that it begins with, where it
    compares integers. That it begins with an m that is put right in double precision makes no
    difference: NUM_7_L1_carefully takes any. *)
Theorem NUM_7_L1_in_integers m s x y m' e : words x -> words y -> (0 < low (first_120 x y))%Z -> (0
  < low (first_120 y x))%Z ->
  (2 ^ 52 <= m < 2 ^ 53)%Z -> IZR m * bpow radix2 (- s) = estimated (low (first_120 x y)) (low
    (first_120 y x)) ->
  round_quotient_from m s x y = Some (m', e) -> forall r t, holds x r -> holds y t -> double (r /
    t) = IZR m' * bpow radix2 e.
Proof.
  intros WX WY PA PB M E H; destruct (first_120_spec x y WX WY) as (FA & _), (first_120_spec y x WY
    WX) as (FB & _).
  apply (NUM_7_L1 m s x y m' e WX WY (estimate_is_near m s _ _ FA FB PA PB M E) PA PB H).
Qed.
