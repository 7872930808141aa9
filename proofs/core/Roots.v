(* The square root of a number: rs_root() of csrc/numerics.c, RS-NUM-20. *)
Require Import Reals ZArith Lra Lia Psatz Bool.
From Flocq Require Import Core.
From Rankspec.core Require Import Words Model Enclosures Numerics.
Open Scope Z_scope.

(** What rs_root() asks of the root in double precision: off by at most 2^-51 of it *)
Definition near_root (root : Z -> Z) := forall X, 2 ^ 124 <= X < 2 ^ 126 ->
  (Rabs (IZR (root X) - sqrt (IZR X)) <= sqrt (IZR X) * / 2 ^ 51)%R.

Lemma pow_le_R n : (0 <= 2 ^ n)%R.
Proof. apply Rlt_le, pow_lt; lra. Qed.
Lemma sqrt_range X : 2 ^ 124 <= X < 2 ^ 126 -> (2 ^ 62 <= sqrt (IZR X) < 2 ^ 63)%R.
Proof.
  intros [A B]; apply IZR_le in A; apply IZR_lt in B; split.
  - rewrite <- (sqrt_Rsqr (2 ^ 62)) by apply pow_le_R; apply sqrt_le_1_alt; unfold Rsqr;
    simpl in *; lra.
  - rewrite <- (sqrt_Rsqr (2 ^ 63)) by apply pow_le_R; apply sqrt_lt_1_alt; unfold Rsqr;
    simpl in *; lra.
Qed.

Section Heron.
Context (root : Z -> Z) (near : near_root root) (X : Z) (range : 2 ^ 124 <= X < 2 ^ 126).
Let y := root X.
Let s := sqrt (IZR X).

Lemma y_near : (s * (1 - / 2 ^ 51) <= IZR y <= s * (1 + / 2 ^ 51))%R.
Proof. pose proof (near X range) as N; fold y s in N; apply Rabs_le_inv in N; lra. Qed.
Lemma y_range : 2 ^ 61 < y < 2 ^ 64.
Proof.
  pose proof y_near; pose proof (sqrt_range X range) as R; fold s in R; simpl in *; split;
    apply lt_IZR; simpl; lra.
Qed.
Lemma X_is : (IZR X = s * s)%R.
Proof. unfold s; rewrite sqrt_sqrt; [reflexivity|apply IZR_le; lia]. Qed.

(** The mean, as the core computes it *)
Definition by_y := add (shl (X / y) 62) (shl (X mod y) 62 / y).
Definition mean := shr (add (shl y 62) by_y) 1.
Lemma by_y_exact : by_y = X * 2 ^ 62 / y /\ 0 <= by_y < 2 ^ 127.
Proof.
  pose proof y_range as R; pose proof (Z.div_mod X y ltac:(lia)) as D;
    pose proof (Z.mod_pos_bound X y ltac:(lia)) as M.
  pose proof (Z.div_pos X y ltac:(lia) ltac:(lia)) as Q.
  assert (X / y < 2 ^ 65) as Q' by (apply Z.div_lt_upper_bound; lia).
  unfold by_y, shl; rewrite (wrap_small (X / y * 2 ^ 62)) by (unfold word; lia);
    rewrite (wrap_small (X mod y * 2 ^ 62)) by (unfold word; lia).
  pose proof (Z.div_mod (X mod y * 2 ^ 62) y ltac:(lia)) as D';
    pose proof (Z.mod_pos_bound (X mod y * 2 ^ 62) y ltac:(lia)) as M'.
  assert (0 <= X mod y * 2 ^ 62 / y < 2 ^ 62) as Q2 by (split; [apply Z.div_pos;
    lia|apply Z.div_lt_upper_bound; lia]).
  assert (X * 2 ^ 62 / y = X / y * 2 ^ 62 + X mod y * 2 ^ 62 / y) as E.
  { symmetry; apply Z.div_unique with ((X mod y * 2 ^ 62) mod y); [left; lia|].
    transitivity ((y * (X / y) + X mod y) * 2 ^ 62); [rewrite <- D; reflexivity|];
      rewrite Z.mul_add_distr_r; rewrite D' at 1;
      ring. }
  assert (X * 2 ^ 62 / y < 2 ^ 127) by (apply Z.div_lt_upper_bound; lia).
  unfold add; rewrite wrap_small by (unfold word; lia); lia.
Qed.
(** It is above the root by less than 2^23, and by 1 below it at most. *)
Lemma mean_near : (IZR mean - 2 ^ 23 < s * 2 ^ 62 < IZR mean + 1)%R /\ 2 ^ 100 < mean < 2 ^ 127.
Proof.
  pose proof by_y_exact as [E B]; pose proof y_range as R; pose proof y_near as N;
    pose proof (sqrt_range X range) as SR;
    fold s in SR.
  unfold mean, shl; rewrite (wrap_small (y * 2 ^ 62)) by (unfold word; lia); unfold add;
    rewrite wrap_small by (unfold word;
    lia).
  destruct (shr_spec (y * 2 ^ 62 + by_y) 1 ltac:(lia)) as (r & F & G);
    set (M := shr (y * 2 ^ 62 + by_y) 1) in *.
  pose proof (Z.div_mod (X * 2 ^ 62) y ltac:(lia)) as D; pose proof (Z.mod_pos_bound (X * 2 ^ 62) y
    ltac:(lia)) as DM;
    rewrite <- E in D.
  assert (2 * M * y <= y * y * 2 ^ 62 + X * 2 ^ 62) as U by nia.
  assert (y * y * 2 ^ 62 + X * 2 ^ 62 < (2 * M + 2) * y) as V by nia.
  assert (2 ^ 100 < M < 2 ^ 127) by lia; split; [|assumption].
  apply IZR_le in U; apply IZR_lt in V; rewrite !plus_IZR, !mult_IZR, X_is in U;
    rewrite !mult_IZR, !plus_IZR, !mult_IZR, X_is in V.
  set (t := IZR y) in *; set (m := IZR M) in *; change (IZR (2 ^ 62)) with 4611686018427387904%R in
    *; simpl pow in *.
  assert (0 < t)%R by (unfold t; apply IZR_lt; lia); split.
  - assert ((t - s) * (t - s) <= s * s * / 2 ^ 102)%R as K.
    { assert (Rabs (t - s) <= s * / 2 ^ 51)%R as A by (apply Rabs_le; simpl pow; lra).
      assert ((t - s) * (t - s) = Rabs (t - s) * Rabs (t - s))%R as -> by (unfold Rabs;
        destruct (Rcase_abs (t - s)); ring).
      replace (s * s * / 2 ^ 102)%R with ((s * / 2 ^ 51) * (s * / 2 ^ 51))%R by (simpl; field).
      apply Rmult_le_compat; try apply Rabs_pos; exact A. }
    simpl pow in K; assert (2 * m * t <= 2 * t * (s * 4611686018427387904) + (t - s) * (t - s) *
      4611686018427387904)%R by
      (replace (2 * t * (s * 4611686018427387904) + (t - s) * (t - s) * 4611686018427387904)%R with
        (t * t *
      4611686018427387904 + s * s * 4611686018427387904)%R by ring; lra).
    assert (s * s <= s * 9223372036854775808)%R by (apply Rmult_le_compat_l; lra).
    assert (2 * m * t < 2 * t * (s * 4611686018427387904 + 8388608))%R by lra.
    apply (Rmult_lt_reg_l (2 * t)); lra.
  - assert (0 <= (t - s) * (t - s))%R by (apply Rle_0_sqr).
    assert (2 * t * (s * 4611686018427387904) < 2 * t * (m + 1))%R by lra;
      apply (Rmult_lt_reg_l (2 * t)); lra.
Qed.
End Heron.

Lemma shift_spec a : 0 < low a < 2 ^ 120 -> let h := shifted_for_root a in
  5 <= h <= 125 /\ exponent a - h = 2 * ((exponent a - h) / 2) /\ 2 ^ 124 <= low a * 2 ^ h < 2 ^
    126 /\ 2 ^ bits (low a) * 2 ^
    h <= 2 ^ 126.
Proof.
  intros A; destruct (bits_spec (low a) ltac:(lia)) as (B1 & B2 & B3);
    pose proof (bits_le (low a) 120 ltac:(lia) ltac:(lia)) as B4.
  cbn zeta; unfold shifted_for_root; set (g := 126 - bits (low a));
    pose proof (Z.mod_pos_bound (exponent a - g) 2 ltac:(lia)) as M.
  pose proof (Z.div_mod (exponent a - g) 2 ltac:(lia)) as D; set (o := (exponent a - g) mod 2) in *.
  assert (5 <= g - o <= 125) as R by (unfold g in *; lia); split; [exact R|]; split.
  { replace (exponent a - (g - o)) with ((exponent a - g) / 2 * 2 + 2 * o) by lia;
    replace (_ * 2 + 2 * o) with (((exponent a - g) / 2 + o) * 2) by ring.
    rewrite Z.div_mul by lia; ring. }
  assert (2 ^ bits (low a) * 2 ^ (g - o) <= 2 ^ 126) as T by (rewrite <- Z.pow_add_r by lia;
    apply Words.pow_le; unfold g in *;
    lia).
  pose proof (pow_pos (g - o) ltac:(lia)) as P.
  assert (2 ^ 124 <= 2 ^ (bits (low a) - 1) * 2 ^ (g - o)) as V by (rewrite <- Z.pow_add_r by lia;
    apply Words.pow_le;
    unfold g in *; lia).
  split; [|exact T]; split.
  - eapply Z.le_trans; [exact V|]; apply Z.mul_le_mono_nonneg_r; lia.
  - eapply Z.lt_le_trans; [|exact T]; apply Z.mul_lt_mono_pos_r; lia.
Qed.

Lemma unit_half e : sqrt (unit_of (2 * e)) = unit_of e.
Proof.
  replace (2 * e) with (e + e) by ring; rewrite unit_plus; apply sqrt_square;
    apply Rlt_le, unit_pos.
Qed.

(** RS-NUM-20: the error bound of a root. The slack of C has 2 as its last summand, of which 1 is
    enough, and 2^25 where 2^23 is. *)
Theorem root_by_holds more root x r : 1 <= more <= 2 -> near_root root -> words x -> holds x r ->
  let a := narrowed x in is_zero a = true \/ (0 < low a /\ slack a <= low a) -> holds (root_by more
    root x) (sqrt r).
Proof.
  intros K N W H a O; pose proof (narrowed_bits x W) as [B [S _]];
    apply (narrowed_holds x r W) in H; fold a in B, S, H.
  unfold root_by; cbn zeta; fold a; clearbody a; clear x W; unfold word in S.
  destruct (Z.eqb_spec (low a) 0) as [E|E].
  { destruct O as [O|]; [|lia]; apply is_zero_spec in O; destruct O as [_ O]; rewrite O;
    cbn [orb Z.eqb].
    apply (zero_holds a) in H; [|apply is_zero_spec; split; assumption|split; unfold word; lia].
    rewrite H, sqrt_0; unfold holds; cbn; lra. }
  destruct O as [O|[_ O]]; [apply is_zero_spec in O; lia|]; destruct (Z.ltb_spec (low a) (slack
    a)); [lia|]; cbn [orb].
  destruct (shift_spec a ltac:(lia)) as (SR & EV & XR & TR); set (h := shifted_for_root a) in *;
    set (u := (exponent a - h) / 2) in *.
  pose proof (pow_pos h ltac:(lia)) as P; pose proof (bits_lt (low a) ltac:(lia)) as BL.
  set (X := low a * 2 ^ h) in *; assert (shl (low a) h = X) as SX by (apply wrap_small;
    unfold word; lia); rewrite SX.
  pose proof (mean_near root N X XR) as [MN MR]; unfold mean, by_y in MN, MR;
    set (M := shr _ 1) in MN, MR.
  change (shr (add (shl (root X) 62) (add (shl (X / root X) 62) (shl (X mod root X) 62 / root X)))
    1) with M.
  assert (0 <= slack a * 2 ^ h < 2 ^ 126) as SH.
  { split; [apply Z.mul_nonneg_nonneg; lia|]; eapply Z.lt_le_trans; [|exact TR];
    apply Z.mul_lt_mono_pos_r; lia. }
  assert (shl (slack a) h = slack a * 2 ^ h) as SD by (apply wrap_small; unfold word; lia);
    rewrite SD.
  assert (slack a * 2 ^ h = shr (slack a * 2 ^ h) 1 * 2) as EVEN.
  { assert (2 ^ h = 2 ^ (h - 1) * 2) as -> by (replace h with (h - 1 + 1) at 1 by ring;
    rewrite Z.pow_add_r by lia;
    reflexivity).
    unfold shr; change (2 ^ 1) with 2; rewrite Z.mul_assoc, Z.div_mul by lia; reflexivity. }
  set (d := shr (slack a * 2 ^ h) 1) in *.
  unfold sub, add; rewrite (wrap_small (M - 2 ^ 25)) by (unfold word; lia);
    rewrite (wrap_small (2 ^ 25 + d)) by (unfold word;
    lia).
  rewrite wrap_small by (unfold word; lia).
  unfold holds in *; cbn [low slack exponent]; fold u.
  assert (r = r * unit_of (- (2 * u)) * unit_of (2 * u))%R as ER by (rewrite Rmult_assoc, <-
    unit_plus;
    replace (- (2 * u) + 2 * u) with 0 by ring; rewrite unit_0; ring).
  set (z := (r * unit_of (- (2 * u)))%R) in *.
  assert (exponent a = h + 2 * u) as EA by lia; rewrite EA, unit_plus, (unit_whole h) in H by lia.
  pose proof (unit_pos (2 * u)) as U2; assert (IZR X <= z <= IZR (X + 2 * d))%R as Z.
  { unfold X; replace (low a * 2 ^ h + 2 * d) with ((low a + slack a) * 2 ^ h) by lia;
    rewrite !mult_IZR; rewrite ER in H.
    split; apply (Rmult_le_reg_r (unit_of (2 * u))); lra. }
  clearbody z; subst r; clear H; rewrite sqrt_mult_alt by (pose proof (IZR_le 0 X ltac:(lia));
    lra); rewrite unit_half.
  replace (u - 62) with (-62 + u) by ring; rewrite unit_plus; pose proof (unit_pos u) as U.
  assert (unit_of (-62) = / 4611686018427387904)%R as -> by (apply (unit_neg 62); lia).
  pose proof (sqrt_range X XR) as QR; set (s := sqrt (IZR X)) in *; simpl pow in *.
  assert (s <= sqrt z)%R as LZ by (apply sqrt_le_1_alt; lra).
  assert (sqrt z <= s + IZR d / s)%R as UZ.
  { apply Rsqr_incr_0_var; [|apply Rplus_le_le_0_compat; [lra|apply Rmult_le_pos; [apply IZR_le;
    lia|apply Rlt_le, Rinv_0_lt_compat; lra]]].
    rewrite Rsqr_sqrt by (pose proof (IZR_le 0 X ltac:(lia)); lra); unfold Rsqr.
    replace ((s + IZR d / s) * (s + IZR d / s))%R with (s * s + 2 * IZR d + (IZR d / s) * (IZR d /
      s))%R by (field; lra).
    pose proof (Rle_0_sqr (IZR d / s)) as SQ; unfold Rsqr in SQ; unfold s at 1 2;
      rewrite sqrt_sqrt by (apply IZR_le; lia).
    rewrite plus_IZR, mult_IZR in Z; lra. }
  assert (IZR d / s <= IZR d * / 4611686018427387904)%R as UD.
  { apply Rmult_le_compat_l; [apply IZR_le; lia|]; apply Rinv_le_contravar; lra. }
  pose proof (IZR_le 1 more ltac:(lia)) as K1.
  replace (M - 2 ^ 25 + (2 ^ 25 + d + more)) with (M + d + more) by ring;
    rewrite minus_IZR, !plus_IZR;
    change (IZR (2 ^ 25)) with 33554432%R.
  rewrite <- !Rmult_assoc; split; apply Rmult_le_compat_r; lra.
Qed.
Theorem root_holds root x r : near_root root -> words x -> holds x r ->
  let a := narrowed x in is_zero a = true \/ (0 < low a /\ slack a <= low a) -> holds (Model.root
    root x) (sqrt r).
Proof. apply root_by_holds; lia. Qed.

(** The whole root of X is one that is near enough, *)
Lemma whole_root_near : near_root Z.sqrt.
Proof.
  intros X XR; destruct (Z.sqrt_spec X ltac:(lia)) as [A B]; pose proof (sqrt_range X XR) as R;
    pose proof (Z.sqrt_nonneg X) as P.
  set (s := sqrt (IZR X)) in *; set (y := Z.sqrt X) in *; simpl pow in *; apply IZR_le in A, P;
    apply IZR_lt in B.
  unfold Z.succ in B; rewrite !mult_IZR in A, B; rewrite plus_IZR in B;
    assert (s * s = IZR X)%R as E by (unfold s;
    apply sqrt_sqrt, IZR_le; lia).
  change (IZR 1) with 1%R in B; assert (0 <= s)%R by lra.
  assert (IZR y <= s)%R by (apply Rnot_lt_le; intro; nra); assert (s < IZR y + 1)%R.
  { apply Rnot_le_lt; intro; assert ((IZR y + 1) * (IZR y + 1) <= s * s)%R by (apply
    Rmult_le_compat; lra); lra. }
  apply Rabs_le; lra.
Qed.
(** and with it the root is above what the core would say, if 0 were added in the place of 2. *)
Theorem root_must_fail : ~ (forall root x r, near_root root -> words x -> holds x r -> slack x <=
  low x -> holds (root_by 0
  root x) (sqrt r)).
Proof.
  intros F; pose (x := Number (((2 ^ 62 + 8) ^ 2 + 64) / 64) 0 0).
  specialize (F Z.sqrt x (IZR (low x)) whole_root_near); assert (holds x (IZR (low x))) as H by
    (unfold holds, unit_of; cbn;
    lra).
  specialize (F ltac:(split; split; vm_compute; congruence) H ltac:(vm_compute; congruence));
    destruct F as [_ F].
  set (y := root_by 0 Z.sqrt x) in *; assert (exponent y = -65) as E by (vm_compute; reflexivity);
    rewrite E in F.
  assert (2 ^ 130 * low x > (low y + slack y) * (low y + slack y)) as L by (vm_compute;
    reflexivity).
  set (t := low y + slack y) in *; assert (0 <= t) as T by (vm_compute; congruence); clearbody y t.
  assert (unit_of (-65) = / 36893488147419103232)%R as U by (apply (unit_neg 65); lia);
    rewrite U in F.
  assert (0 <= low x) as X by (vm_compute; congruence); set (l := low x) in *; clearbody l;
    clear x H E.
  apply Z.gt_lt, IZR_lt in L; rewrite !mult_IZR in L; apply IZR_le in T, X;
    pose proof (sqrt_pos (IZR l)) as P;
    pose proof (sqrt_sqrt (IZR l) X) as Q.
  set (q := sqrt (IZR l)) in *; simpl pow in F; change (IZR (2 ^ 130)) with
    1361129467683753853853498429727072845824%R in L.
  assert (36893488147419103232 * q <= IZR t)%R as G by lra; rewrite <- Q in L; nra.
Qed.
