; Made of respell.c by `python -m native`; SHA-256 of that file and what it includes:
; 91b1b13da997b0783eb9f983b47931b996e2792138023eb9905d7f090e0b6355

%struct.level = type { i64, i64, i64, i64 }
%struct.node = type { ptr, i64, i64, i64, i64, i64, i64, i64, i64 }

@.str = private constant [5 x i8] c"true\00", align 1
@.str.1 = private constant [6 x i8] c"false\00", align 1
@.str.2 = private constant [5 x i8] c"null\00", align 1

define void @respell_names(ptr %0) {
  %2 = alloca [4 x i8], align 1
  %3 = alloca i64, align 8
  %4 = alloca [4 x i8], align 1
  %5 = alloca i64, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = getelementptr inbounds i8, ptr %0, i64 40
  %9 = load i64, ptr %8, align 8
  %10 = icmp sgt i64 %9, 0
  br i1 %10, label %11, label %23

11:                                               ; preds = %1
  %12 = getelementptr inbounds i8, ptr %0, i64 64
  %13 = getelementptr inbounds i8, ptr %0, i64 56
  %14 = getelementptr inbounds i8, ptr %0, i64 48
  %15 = getelementptr inbounds i8, ptr %0, i64 16
  %16 = getelementptr inbounds i8, ptr %0, i64 8
  %17 = getelementptr inbounds i8, ptr %0, i64 96
  %18 = getelementptr inbounds i8, ptr %0, i64 32
  %19 = getelementptr inbounds i8, ptr %0, i64 24
  %20 = getelementptr inbounds i8, ptr %0, i64 72
  %21 = getelementptr inbounds i8, ptr %0, i64 80
  %22 = getelementptr inbounds i8, ptr %0, i64 88
  br label %24

23:                                               ; preds = %574, %1
  ret void

24:                                               ; preds = %11, %574
  %25 = phi i64 [ 0, %11 ], [ %575, %574 ]
  %26 = load ptr, ptr %12, align 8
  %27 = getelementptr inbounds i8, ptr %26, i64 %25
  %28 = load i8, ptr %27, align 1
  %29 = icmp eq i8 %28, 0
  br i1 %29, label %30, label %574

30:                                               ; preds = %24
  %31 = load ptr, ptr %13, align 8
  %32 = getelementptr inbounds i64, ptr %31, i64 %25
  %33 = load i64, ptr %32, align 8
  %34 = getelementptr inbounds i8, ptr %32, i64 8
  %35 = load i64, ptr %34, align 8
  %36 = add i64 %35, -1
  %37 = load ptr, ptr %14, align 8
  %38 = icmp slt i64 %33, %36
  br i1 %38, label %39, label %46

39:                                               ; preds = %30, %43
  %40 = phi i64 [ %44, %43 ], [ %33, %30 ]
  %41 = getelementptr inbounds i8, ptr %37, i64 %40
  %42 = load i8, ptr %41, align 1
  switch i8 %42, label %46 [
    i8 32, label %43
    i8 13, label %43
    i8 9, label %43
    i8 10, label %43
  ]

43:                                               ; preds = %39, %39, %39, %39
  %44 = add i64 %40, 1
  %45 = icmp eq i64 %44, %36
  br i1 %45, label %574, label %39

46:                                               ; preds = %39, %30
  %47 = phi i64 [ %33, %30 ], [ %40, %39 ]
  %48 = icmp slt i64 %47, %36
  br i1 %48, label %49, label %574

49:                                               ; preds = %46
  %50 = getelementptr inbounds i8, ptr %37, i64 %47
  %51 = load i8, ptr %50, align 1
  %52 = icmp eq i8 %51, 123
  br i1 %52, label %53, label %574

53:                                               ; preds = %49
  %54 = shl i64 %25, 2
  br label %55

55:                                               ; preds = %568, %53
  %56 = phi i8 [ 123, %53 ], [ %573, %568 ]
  %57 = phi i64 [ 0, %53 ], [ %571, %568 ]
  %58 = phi i64 [ -1, %53 ], [ %570, %568 ]
  %59 = phi i64 [ %47, %53 ], [ %569, %568 ]
  %60 = getelementptr inbounds i8, ptr %37, i64 %59
  %61 = icmp eq i8 %56, 123
  switch i8 %56, label %122 [
    i8 123, label %62
    i8 91, label %62
  ]

62:                                               ; preds = %55, %55
  %63 = add i64 %58, 1
  %64 = load i64, ptr %15, align 8
  %65 = icmp slt i64 %63, %64
  br i1 %65, label %66, label %574

66:                                               ; preds = %62
  %67 = load ptr, ptr %16, align 8
  %68 = getelementptr inbounds %struct.level, ptr %67, i64 %63
  %69 = icmp sgt i64 %57, -1
  br i1 %69, label %70, label %77

70:                                               ; preds = %66
  %71 = load ptr, ptr %0, align 8
  %72 = getelementptr inbounds %struct.node, ptr %71, i64 %57
  %73 = getelementptr inbounds i8, ptr %72, i64 32
  %74 = load i64, ptr %73, align 8
  %75 = zext i1 %61 to i64
  %76 = getelementptr inbounds i8, ptr %68, i64 24
  store i64 %75, ptr %76, align 8
  br i1 %61, label %80, label %83

77:                                               ; preds = %66
  %78 = zext i1 %61 to i64
  %79 = getelementptr inbounds i8, ptr %68, i64 24
  store i64 %78, ptr %79, align 8
  br label %85

80:                                               ; preds = %70
  %81 = and i64 %74, -3
  %82 = icmp eq i64 %81, 1
  br i1 %82, label %86, label %85

83:                                               ; preds = %70
  %84 = icmp eq i64 %74, 2
  br i1 %84, label %86, label %85

85:                                               ; preds = %83, %80, %77
  store i64 -1, ptr %68, align 8
  br label %92

86:                                               ; preds = %83, %80
  store i64 %57, ptr %68, align 8
  %87 = load ptr, ptr %0, align 8
  %88 = getelementptr inbounds %struct.node, ptr %87, i64 %57
  %89 = getelementptr inbounds i8, ptr %88, i64 16
  %90 = load i64, ptr %89, align 8
  %91 = add i64 %90, -1
  br label %92

92:                                               ; preds = %86, %85
  %93 = phi i64 [ %91, %86 ], [ -1, %85 ]
  %94 = getelementptr inbounds i8, ptr %68, i64 16
  store i64 %93, ptr %94, align 8
  %95 = load i64, ptr %17, align 8
  %96 = add i64 %95, 1
  store i64 %96, ptr %17, align 8
  %97 = getelementptr inbounds i8, ptr %68, i64 8
  store i64 %96, ptr %97, align 8
  %98 = add i64 %59, 1
  %99 = icmp slt i64 %98, %36
  br i1 %99, label %100, label %107

100:                                              ; preds = %92, %104
  %101 = phi i64 [ %105, %104 ], [ %98, %92 ]
  %102 = getelementptr inbounds i8, ptr %37, i64 %101
  %103 = load i8, ptr %102, align 1
  switch i8 %103, label %107 [
    i8 32, label %104
    i8 13, label %104
    i8 9, label %104
    i8 10, label %104
  ]

104:                                              ; preds = %100, %100, %100, %100
  %105 = add i64 %101, 1
  %106 = icmp eq i64 %105, %36
  br i1 %106, label %574, label %100

107:                                              ; preds = %100, %92
  %108 = phi i64 [ %98, %92 ], [ %101, %100 ]
  %109 = icmp slt i64 %108, %36
  br i1 %109, label %110, label %574

110:                                              ; preds = %107
  %111 = getelementptr inbounds i8, ptr %37, i64 %108
  %112 = load i8, ptr %111, align 1
  %113 = add i8 %56, 2
  %114 = icmp eq i8 %112, %113
  br i1 %114, label %120, label %115

115:                                              ; preds = %110
  br i1 %61, label %319, label %116

116:                                              ; preds = %115
  %117 = load i64, ptr %68, align 8
  %118 = icmp sgt i64 %117, -1
  br i1 %118, label %119, label %568

119:                                              ; preds = %116
  br label %560

120:                                              ; preds = %110
  %121 = add i64 %108, 1
  br label %259

122:                                              ; preds = %55
  switch i8 %56, label %171 [
    i8 34, label %123
    i8 116, label %126
    i8 102, label %141
    i8 110, label %156
  ]

123:                                              ; preds = %122
  %124 = add i64 %59, 1
  %125 = call fastcc i64 @end_of_string(ptr %37, i64 %124, i64 %36, ptr %6)
  br label %256

126:                                              ; preds = %122
  %127 = sub i64 %36, %59
  %128 = icmp slt i64 %127, 4
  br i1 %128, label %255, label %132

129:                                              ; preds = %132
  %130 = add i64 %133, 1
  %131 = icmp eq i64 %130, 4
  br i1 %131, label %139, label %132

132:                                              ; preds = %126, %129
  %133 = phi i64 [ %130, %129 ], [ 0, %126 ]
  %134 = getelementptr i8, ptr %60, i64 %133
  %135 = load i8, ptr %134, align 1
  %136 = getelementptr inbounds i8, ptr @.str, i64 %133
  %137 = load i8, ptr %136, align 1
  %138 = icmp eq i8 %135, %137
  br i1 %138, label %129, label %255

139:                                              ; preds = %129
  %140 = add i64 %59, 4
  br label %256

141:                                              ; preds = %122
  %142 = sub i64 %36, %59
  %143 = icmp slt i64 %142, 5
  br i1 %143, label %255, label %147

144:                                              ; preds = %147
  %145 = add i64 %148, 1
  %146 = icmp eq i64 %145, 5
  br i1 %146, label %154, label %147

147:                                              ; preds = %141, %144
  %148 = phi i64 [ %145, %144 ], [ 0, %141 ]
  %149 = getelementptr i8, ptr %60, i64 %148
  %150 = load i8, ptr %149, align 1
  %151 = getelementptr inbounds i8, ptr @.str.1, i64 %148
  %152 = load i8, ptr %151, align 1
  %153 = icmp eq i8 %150, %152
  br i1 %153, label %144, label %255

154:                                              ; preds = %144
  %155 = add i64 %59, 5
  br label %256

156:                                              ; preds = %122
  %157 = sub i64 %36, %59
  %158 = icmp slt i64 %157, 4
  br i1 %158, label %255, label %162

159:                                              ; preds = %162
  %160 = add i64 %163, 1
  %161 = icmp eq i64 %160, 4
  br i1 %161, label %169, label %162

162:                                              ; preds = %156, %159
  %163 = phi i64 [ %160, %159 ], [ 0, %156 ]
  %164 = getelementptr i8, ptr %60, i64 %163
  %165 = load i8, ptr %164, align 1
  %166 = getelementptr inbounds i8, ptr @.str.2, i64 %163
  %167 = load i8, ptr %166, align 1
  %168 = icmp eq i8 %165, %167
  br i1 %168, label %159, label %255

169:                                              ; preds = %159
  %170 = add i64 %59, 4
  br label %256

171:                                              ; preds = %122
  %172 = icmp eq i8 %56, 45
  %173 = zext i1 %172 to i64
  %174 = add i64 %59, %173
  %175 = icmp slt i64 %174, %36
  br i1 %175, label %176, label %255

176:                                              ; preds = %171
  %177 = getelementptr inbounds i8, ptr %37, i64 %174
  %178 = load i8, ptr %177, align 1
  %179 = icmp eq i8 %178, 48
  br i1 %179, label %180, label %182

180:                                              ; preds = %176
  %181 = add i64 %174, 1
  br label %197

182:                                              ; preds = %176
  %183 = add i8 %178, -58
  %184 = icmp ult i8 %183, -10
  br i1 %184, label %255, label %185

185:                                              ; preds = %182, %191
  %186 = phi i64 [ %192, %191 ], [ %174, %182 ]
  %187 = getelementptr inbounds i8, ptr %37, i64 %186
  %188 = load i8, ptr %187, align 1
  %189 = add i8 %188, -58
  %190 = icmp ult i8 %189, -10
  br i1 %190, label %194, label %191

191:                                              ; preds = %185
  %192 = add i64 %186, 1
  %193 = icmp eq i64 %192, %36
  br i1 %193, label %194, label %185

194:                                              ; preds = %191, %185
  %195 = phi i64 [ %186, %185 ], [ %36, %191 ]
  %196 = icmp slt i64 %195, 0
  br i1 %196, label %255, label %197

197:                                              ; preds = %194, %180
  %198 = phi i64 [ %181, %180 ], [ %195, %194 ]
  %199 = icmp slt i64 %198, %36
  br i1 %199, label %200, label %224

200:                                              ; preds = %197
  %201 = getelementptr inbounds i8, ptr %37, i64 %198
  %202 = load i8, ptr %201, align 1
  %203 = icmp eq i8 %202, 46
  br i1 %203, label %204, label %224

204:                                              ; preds = %200
  %205 = add i64 %198, 1
  %206 = icmp slt i64 %205, %36
  br i1 %206, label %207, label %255

207:                                              ; preds = %204
  %208 = getelementptr inbounds i8, ptr %37, i64 %205
  %209 = load i8, ptr %208, align 1
  %210 = add i8 %209, -58
  %211 = icmp ult i8 %210, -10
  br i1 %211, label %255, label %212

212:                                              ; preds = %207, %218
  %213 = phi i64 [ %219, %218 ], [ %205, %207 ]
  %214 = getelementptr inbounds i8, ptr %37, i64 %213
  %215 = load i8, ptr %214, align 1
  %216 = add i8 %215, -58
  %217 = icmp ult i8 %216, -10
  br i1 %217, label %221, label %218

218:                                              ; preds = %212
  %219 = add i64 %213, 1
  %220 = icmp eq i64 %219, %36
  br i1 %220, label %221, label %212

221:                                              ; preds = %218, %212
  %222 = phi i64 [ %36, %218 ], [ %213, %212 ]
  %223 = icmp slt i64 %222, 0
  br i1 %223, label %255, label %224

224:                                              ; preds = %221, %200, %197
  %225 = phi i64 [ %222, %221 ], [ %198, %200 ], [ %198, %197 ]
  %226 = icmp slt i64 %225, %36
  br i1 %226, label %227, label %256

227:                                              ; preds = %224
  %228 = getelementptr inbounds i8, ptr %37, i64 %225
  %229 = load i8, ptr %228, align 1
  switch i8 %229, label %256 [
    i8 101, label %230
    i8 69, label %230
  ]

230:                                              ; preds = %227, %227
  %231 = add i64 %225, 1
  %232 = icmp slt i64 %231, %36
  br i1 %232, label %233, label %238

233:                                              ; preds = %230
  %234 = getelementptr inbounds i8, ptr %37, i64 %231
  %235 = load i8, ptr %234, align 1
  switch i8 %235, label %238 [
    i8 43, label %236
    i8 45, label %236
  ]

236:                                              ; preds = %233, %233
  %237 = add i64 %225, 2
  br label %238

238:                                              ; preds = %236, %233, %230
  %239 = phi i64 [ %237, %236 ], [ %231, %233 ], [ %231, %230 ]
  %240 = icmp slt i64 %239, %36
  br i1 %240, label %241, label %255

241:                                              ; preds = %238
  %242 = getelementptr inbounds i8, ptr %37, i64 %239
  %243 = load i8, ptr %242, align 1
  %244 = add i8 %243, -58
  %245 = icmp ult i8 %244, -10
  br i1 %245, label %255, label %246

246:                                              ; preds = %241, %252
  %247 = phi i64 [ %253, %252 ], [ %239, %241 ]
  %248 = getelementptr inbounds i8, ptr %37, i64 %247
  %249 = load i8, ptr %248, align 1
  %250 = add i8 %249, -58
  %251 = icmp ult i8 %250, -10
  br i1 %251, label %256, label %252

252:                                              ; preds = %246
  %253 = add i64 %247, 1
  %254 = icmp eq i64 %253, %36
  br i1 %254, label %256, label %246

255:                                              ; preds = %241, %238, %221, %207, %204, %194, %182, %171, %156, %141, %126, %162, %147, %132
  br label %574

256:                                              ; preds = %252, %246, %227, %224, %169, %154, %139, %123
  %257 = phi i64 [ %225, %224 ], [ %125, %123 ], [ %155, %154 ], [ %170, %169 ], [ %225, %227 ], [ %140, %139 ], [ %36, %252 ], [ %247, %246 ]
  %258 = icmp slt i64 %257, 0
  br i1 %258, label %574, label %259

259:                                              ; preds = %256, %120
  %260 = phi i64 [ %121, %120 ], [ %257, %256 ]
  %261 = icmp slt i64 %58, 0
  br i1 %261, label %574, label %262

262:                                              ; preds = %259, %289
  %263 = phi i64 [ %290, %289 ], [ %260, %259 ]
  %264 = phi i64 [ %291, %289 ], [ %58, %259 ]
  %265 = icmp slt i64 %263, %36
  br i1 %265, label %266, label %273

266:                                              ; preds = %262, %270
  %267 = phi i64 [ %271, %270 ], [ %263, %262 ]
  %268 = getelementptr inbounds i8, ptr %37, i64 %267
  %269 = load i8, ptr %268, align 1
  switch i8 %269, label %273 [
    i8 32, label %270
    i8 13, label %270
    i8 9, label %270
    i8 10, label %270
  ]

270:                                              ; preds = %266, %266, %266, %266
  %271 = add i64 %267, 1
  %272 = icmp eq i64 %271, %36
  br i1 %272, label %574, label %266

273:                                              ; preds = %266, %262
  %274 = phi i64 [ %263, %262 ], [ %267, %266 ]
  %275 = icmp slt i64 %274, %36
  br i1 %275, label %276, label %574

276:                                              ; preds = %273
  %277 = getelementptr inbounds i8, ptr %37, i64 %274
  %278 = load i8, ptr %277, align 1
  %279 = icmp eq i8 %278, 44
  br i1 %279, label %293, label %280

280:                                              ; preds = %276
  %281 = zext i8 %278 to i32
  %282 = load ptr, ptr %16, align 8
  %283 = getelementptr inbounds %struct.level, ptr %282, i64 %264
  %284 = getelementptr inbounds i8, ptr %283, i64 24
  %285 = load i64, ptr %284, align 8
  %286 = icmp eq i64 %285, 0
  %287 = select i1 %286, i32 93, i32 125
  %288 = icmp eq i32 %287, %281
  br i1 %288, label %289, label %574

289:                                              ; preds = %280
  %290 = add i64 %274, 1
  %291 = add i64 %264, -1
  %292 = icmp slt i64 %264, 1
  br i1 %292, label %574, label %262

293:                                              ; preds = %276
  %294 = add i64 %274, 1
  %295 = icmp slt i64 %294, %36
  br i1 %295, label %296, label %303

296:                                              ; preds = %293, %300
  %297 = phi i64 [ %301, %300 ], [ %294, %293 ]
  %298 = getelementptr inbounds i8, ptr %37, i64 %297
  %299 = load i8, ptr %298, align 1
  switch i8 %299, label %303 [
    i8 32, label %300
    i8 13, label %300
    i8 9, label %300
    i8 10, label %300
  ]

300:                                              ; preds = %296, %296, %296, %296
  %301 = add i64 %297, 1
  %302 = icmp eq i64 %301, %36
  br i1 %302, label %574, label %296

303:                                              ; preds = %296, %293
  %304 = phi i64 [ %294, %293 ], [ %297, %296 ]
  %305 = icmp slt i64 %304, %36
  br i1 %305, label %306, label %574

306:                                              ; preds = %303
  %307 = load ptr, ptr %16, align 8
  %308 = getelementptr inbounds %struct.level, ptr %307, i64 %264
  %309 = getelementptr inbounds i8, ptr %308, i64 24
  %310 = load i64, ptr %309, align 8
  %311 = icmp eq i64 %310, 0
  br i1 %311, label %315, label %312

312:                                              ; preds = %306
  %313 = getelementptr inbounds i8, ptr %37, i64 %304
  %314 = load i8, ptr %313, align 1
  br label %319

315:                                              ; preds = %306
  %316 = load i64, ptr %308, align 8
  %317 = icmp sgt i64 %316, -1
  br i1 %317, label %318, label %568

318:                                              ; preds = %315
  br label %560

319:                                              ; preds = %312, %115
  %320 = phi i8 [ %314, %312 ], [ %112, %115 ]
  %321 = phi i64 [ %264, %312 ], [ %63, %115 ]
  %322 = phi i64 [ %304, %312 ], [ %108, %115 ]
  %323 = icmp eq i8 %320, 34
  br i1 %323, label %324, label %574

324:                                              ; preds = %319
  %325 = load ptr, ptr %16, align 8
  %326 = getelementptr inbounds %struct.level, ptr %325, i64 %321
  store i32 0, ptr %7, align 4
  %327 = add i64 %322, 1
  %328 = call fastcc i64 @end_of_string(ptr %37, i64 %327, i64 %36, ptr %7)
  %329 = icmp slt i64 %328, 0
  br i1 %329, label %556, label %330

330:                                              ; preds = %324
  %331 = load i64, ptr %326, align 8
  %332 = icmp sgt i64 %331, -1
  br i1 %332, label %333, label %528

333:                                              ; preds = %330
  %334 = load ptr, ptr %0, align 8
  %335 = getelementptr inbounds %struct.node, ptr %334, i64 %331
  %336 = getelementptr inbounds i8, ptr %335, i64 32
  %337 = load i64, ptr %336, align 8
  %338 = icmp eq i64 %337, 3
  br i1 %338, label %339, label %342

339:                                              ; preds = %333
  %340 = getelementptr inbounds i8, ptr %335, i64 16
  %341 = load i64, ptr %340, align 8
  br label %528

342:                                              ; preds = %333
  %343 = add i64 %328, -1
  %344 = load i32, ptr %7, align 4
  %345 = getelementptr inbounds i8, ptr %335, i64 16
  %346 = getelementptr inbounds i8, ptr %335, i64 24
  %347 = load i64, ptr %346, align 8
  %348 = icmp eq i64 %347, 0
  br i1 %348, label %349, label %351

349:                                              ; preds = %342
  %350 = load ptr, ptr %14, align 8
  br label %363

351:                                              ; preds = %342
  %352 = getelementptr inbounds i8, ptr %326, i64 16
  %353 = load i64, ptr %352, align 8
  %354 = add i64 %353, 1
  %355 = load i64, ptr %345, align 8
  %356 = add i64 %355, %347
  %357 = icmp slt i64 %354, %356
  %358 = select i1 %357, i64 %354, i64 %355
  %359 = getelementptr inbounds %struct.node, ptr %334, i64 %358
  %360 = load ptr, ptr %14, align 8
  %361 = call fastcc i32 @is_named(ptr %359, ptr %360, i64 %327, i64 %343, i32 %344)
  %362 = icmp eq i32 %361, 0
  br i1 %362, label %363, label %427

363:                                              ; preds = %351, %349
  %364 = phi ptr [ %350, %349 ], [ %360, %351 ]
  %365 = trunc i64 %331 to i32
  %366 = xor i32 %365, -2128831035
  store i64 %327, ptr %5, align 8
  %367 = icmp slt i64 %327, %343
  br i1 %367, label %368, label %399

368:                                              ; preds = %363
  %369 = icmp eq i32 %344, 0
  br label %373

370:                                              ; preds = %385
  %371 = load i64, ptr %5, align 8
  %372 = icmp slt i64 %371, %343
  br i1 %372, label %373, label %399

373:                                              ; preds = %370, %368
  %374 = phi i64 [ %327, %368 ], [ %371, %370 ]
  %375 = phi i32 [ %366, %368 ], [ %396, %370 ]
  br i1 %369, label %379, label %376

376:                                              ; preds = %373
  %377 = call fastcc i32 @spelled(ptr %364, ptr %5, ptr %4)
  %378 = zext i32 %377 to i64
  br label %383

379:                                              ; preds = %373
  %380 = add i64 %374, 1
  store i64 %380, ptr %5, align 8
  %381 = getelementptr inbounds i8, ptr %364, i64 %374
  %382 = load i8, ptr %381, align 1
  store i8 %382, ptr %4, align 1
  br label %383

383:                                              ; preds = %379, %376
  %384 = phi i64 [ %378, %376 ], [ 1, %379 ]
  br label %385

385:                                              ; preds = %385, %383
  %386 = phi i64 [ 0, %383 ], [ %397, %385 ]
  %387 = phi i32 [ %375, %383 ], [ %396, %385 ]
  %388 = getelementptr inbounds i8, ptr %4, i64 %386
  %389 = load i8, ptr %388, align 1
  %390 = add i8 %389, -65
  %391 = icmp ult i8 %390, 26
  %392 = or i8 %389, 32
  %393 = select i1 %391, i8 %392, i8 %389
  %394 = zext i8 %393 to i32
  %395 = xor i32 %387, %394
  %396 = mul i32 %395, 16777619
  %397 = add i64 %386, 1
  %398 = icmp eq i64 %397, %384
  br i1 %398, label %370, label %385

399:                                              ; preds = %370, %363
  %400 = phi i32 [ %366, %363 ], [ %396, %370 ]
  %401 = zext i32 %400 to i64
  %402 = load i64, ptr %18, align 8
  %403 = and i64 %402, %401
  %404 = load ptr, ptr %19, align 8
  %405 = getelementptr inbounds i64, ptr %404, i64 %403
  %406 = load i64, ptr %405, align 8
  %407 = icmp sgt i64 %406, -1
  br i1 %407, label %408, label %528

408:                                              ; preds = %399
  %409 = load i64, ptr %345, align 8
  %410 = add i64 %409, %347
  br label %411

411:                                              ; preds = %421, %408
  %412 = phi i64 [ %425, %421 ], [ %406, %408 ]
  %413 = phi i64 [ %423, %421 ], [ %403, %408 ]
  %414 = icmp sge i64 %412, %409
  %415 = icmp slt i64 %412, %410
  %416 = select i1 %414, i1 %415, i1 false
  br i1 %416, label %417, label %421

417:                                              ; preds = %411
  %418 = getelementptr inbounds %struct.node, ptr %334, i64 %412
  %419 = call fastcc i32 @is_named(ptr %418, ptr %364, i64 %327, i64 %343, i32 %344)
  %420 = icmp eq i32 %419, 0
  br i1 %420, label %421, label %429

421:                                              ; preds = %417, %411
  %422 = add i64 %413, 1
  %423 = and i64 %422, %402
  %424 = getelementptr inbounds i64, ptr %404, i64 %423
  %425 = load i64, ptr %424, align 8
  %426 = icmp sgt i64 %425, -1
  br i1 %426, label %411, label %528

427:                                              ; preds = %351
  %428 = icmp slt i64 %358, 0
  br i1 %428, label %528, label %429

429:                                              ; preds = %417, %427
  %430 = phi i64 [ %358, %427 ], [ %412, %417 ]
  %431 = phi i32 [ %361, %427 ], [ %419, %417 ]
  %432 = getelementptr inbounds %struct.node, ptr %334, i64 %430
  %433 = getelementptr inbounds i8, ptr %326, i64 16
  store i64 %430, ptr %433, align 8
  %434 = getelementptr inbounds i8, ptr %432, i64 40
  %435 = load i64, ptr %434, align 8
  %436 = getelementptr inbounds i8, ptr %326, i64 8
  %437 = load i64, ptr %436, align 8
  %438 = icmp eq i64 %435, %437
  br i1 %438, label %439, label %463

439:                                              ; preds = %429
  %440 = getelementptr inbounds i8, ptr %432, i64 64
  %441 = load i64, ptr %440, align 8
  %442 = icmp ne i64 %441, 0
  %443 = icmp eq i32 %431, 1
  %444 = and i1 %443, %442
  br i1 %444, label %463, label %445

445:                                              ; preds = %439
  %446 = load ptr, ptr %20, align 8
  %447 = getelementptr inbounds i64, ptr %446, i64 %25
  store i64 %430, ptr %447, align 8
  %448 = getelementptr inbounds i8, ptr %432, i64 48
  %449 = load i64, ptr %448, align 8
  %450 = load ptr, ptr %21, align 8
  %451 = getelementptr inbounds i64, ptr %450, i64 %54
  store i64 %449, ptr %451, align 8
  %452 = getelementptr inbounds i8, ptr %432, i64 56
  %453 = load i64, ptr %452, align 8
  %454 = load ptr, ptr %21, align 8
  %455 = getelementptr i64, ptr %454, i64 %54
  %456 = getelementptr i8, ptr %455, i64 8
  store i64 %453, ptr %456, align 8
  %457 = load ptr, ptr %21, align 8
  %458 = getelementptr i64, ptr %457, i64 %54
  %459 = getelementptr i8, ptr %458, i64 16
  store i64 %327, ptr %459, align 8
  %460 = load ptr, ptr %21, align 8
  %461 = getelementptr i64, ptr %460, i64 %54
  %462 = getelementptr i8, ptr %461, i64 24
  store i64 %343, ptr %462, align 8
  br label %556

463:                                              ; preds = %439, %429
  store i64 %437, ptr %434, align 8
  %464 = getelementptr inbounds i8, ptr %432, i64 48
  store i64 %327, ptr %464, align 8
  %465 = getelementptr inbounds i8, ptr %432, i64 56
  store i64 %343, ptr %465, align 8
  %466 = icmp eq i32 %431, 1
  %467 = zext i1 %466 to i64
  %468 = getelementptr inbounds i8, ptr %432, i64 64
  store i64 %467, ptr %468, align 8
  %469 = icmp eq i32 %431, 2
  br i1 %469, label %470, label %528

470:                                              ; preds = %463
  store i64 %327, ptr %3, align 8
  %471 = icmp slt i64 %327, %343
  br i1 %471, label %473, label %472

472:                                              ; preds = %470
  br label %528

473:                                              ; preds = %470
  %474 = icmp eq i32 %344, 0
  br label %475

475:                                              ; preds = %522, %473
  %476 = phi i64 [ %327, %473 ], [ %523, %522 ]
  %477 = phi i64 [ 0, %473 ], [ %525, %522 ]
  %478 = load ptr, ptr %14, align 8
  br i1 %474, label %479, label %483

479:                                              ; preds = %475
  %480 = add i64 %476, 1
  store i64 %480, ptr %3, align 8
  %481 = getelementptr inbounds i8, ptr %478, i64 %476
  %482 = load i8, ptr %481, align 1
  store i8 %482, ptr %2, align 1
  br label %492

483:                                              ; preds = %475
  %484 = call fastcc i32 @spelled(ptr %478, ptr %3, ptr %2)
  %485 = icmp eq i32 %484, 1
  br i1 %485, label %489, label %486

486:                                              ; preds = %483
  %487 = load i64, ptr %3, align 8
  %488 = zext i32 %484 to i64
  br label %522

489:                                              ; preds = %483
  %490 = load i8, ptr %2, align 1
  %491 = load i64, ptr %3, align 8
  br label %492

492:                                              ; preds = %489, %479
  %493 = phi i64 [ %491, %489 ], [ %480, %479 ]
  %494 = phi i8 [ %490, %489 ], [ %482, %479 ]
  %495 = load ptr, ptr %432, align 8
  %496 = getelementptr inbounds i8, ptr %495, i64 %477
  %497 = load i8, ptr %496, align 1
  %498 = icmp eq i8 %494, %497
  br i1 %498, label %522, label %499

499:                                              ; preds = %492
  %500 = load i64, ptr %22, align 8
  %501 = add i64 %500, 1
  store i64 %501, ptr %22, align 8
  %502 = sub i64 %493, %476
  %503 = icmp eq i64 %502, 1
  br i1 %503, label %504, label %506

504:                                              ; preds = %499
  %505 = getelementptr inbounds i8, ptr %478, i64 %476
  store i8 %497, ptr %505, align 1
  br label %522

506:                                              ; preds = %499
  %507 = lshr i8 %497, 4
  %508 = icmp ult i8 %497, -96
  %509 = or i8 %507, 48
  %510 = add i8 %507, 87
  %511 = select i1 %508, i8 %509, i8 %510
  %512 = getelementptr i8, ptr %478, i64 %476
  %513 = getelementptr i8, ptr %512, i64 4
  store i8 %511, ptr %513, align 1
  %514 = and i8 %497, 15
  %515 = icmp ult i8 %514, 10
  %516 = or i8 %514, 48
  %517 = add i8 %514, 87
  %518 = select i1 %515, i8 %516, i8 %517
  %519 = load ptr, ptr %14, align 8
  %520 = getelementptr i8, ptr %519, i64 %476
  %521 = getelementptr i8, ptr %520, i64 5
  store i8 %518, ptr %521, align 1
  br label %522

522:                                              ; preds = %506, %504, %492, %486
  %523 = phi i64 [ %493, %504 ], [ %493, %506 ], [ %493, %492 ], [ %487, %486 ]
  %524 = phi i64 [ 1, %504 ], [ 1, %506 ], [ 1, %492 ], [ %488, %486 ]
  %525 = add i64 %524, %477
  %526 = icmp slt i64 %523, %343
  br i1 %526, label %475, label %527

527:                                              ; preds = %522
  br label %528

528:                                              ; preds = %421, %527, %472, %463, %427, %399, %339, %330
  %529 = phi i64 [ %341, %339 ], [ %430, %527 ], [ -1, %330 ], [ %430, %472 ], [ -1, %427 ], [ -1, %399 ], [ %430, %463 ], [ -1, %421 ]
  %530 = icmp slt i64 %328, %36
  br i1 %530, label %531, label %538

531:                                              ; preds = %528, %535
  %532 = phi i64 [ %536, %535 ], [ %328, %528 ]
  %533 = getelementptr inbounds i8, ptr %37, i64 %532
  %534 = load i8, ptr %533, align 1
  switch i8 %534, label %538 [
    i8 32, label %535
    i8 13, label %535
    i8 9, label %535
    i8 10, label %535
  ]

535:                                              ; preds = %531, %531, %531, %531
  %536 = add i64 %532, 1
  %537 = icmp eq i64 %536, %36
  br i1 %537, label %556, label %531

538:                                              ; preds = %531, %528
  %539 = phi i64 [ %328, %528 ], [ %532, %531 ]
  %540 = icmp slt i64 %539, %36
  br i1 %540, label %541, label %556

541:                                              ; preds = %538
  %542 = getelementptr inbounds i8, ptr %37, i64 %539
  %543 = load i8, ptr %542, align 1
  %544 = icmp eq i8 %543, 58
  br i1 %544, label %545, label %556

545:                                              ; preds = %541
  %546 = add i64 %539, 1
  %547 = icmp slt i64 %546, %36
  br i1 %547, label %548, label %557

548:                                              ; preds = %545, %552
  %549 = phi i64 [ %553, %552 ], [ %546, %545 ]
  %550 = getelementptr inbounds i8, ptr %37, i64 %549
  %551 = load i8, ptr %550, align 1
  switch i8 %551, label %557 [
    i8 32, label %552
    i8 13, label %552
    i8 9, label %552
    i8 10, label %552
  ]

552:                                              ; preds = %548, %548, %548, %548
  %553 = add i64 %549, 1
  %554 = icmp eq i64 %553, %36
  br i1 %554, label %555, label %548

555:                                              ; preds = %552
  br label %574

556:                                              ; preds = %541, %538, %324, %535, %445
  br label %574

557:                                              ; preds = %548, %545
  %558 = phi i64 [ %546, %545 ], [ %549, %548 ]
  %559 = icmp slt i64 %558, %36
  br i1 %559, label %568, label %574

560:                                              ; preds = %318, %119
  %561 = phi i64 [ %117, %119 ], [ %316, %318 ]
  %562 = phi i64 [ %108, %119 ], [ %304, %318 ]
  %563 = phi i64 [ %63, %119 ], [ %264, %318 ]
  %564 = load ptr, ptr %0, align 8
  %565 = getelementptr inbounds %struct.node, ptr %564, i64 %561
  %566 = getelementptr inbounds i8, ptr %565, i64 16
  %567 = load i64, ptr %566, align 8
  br label %568

568:                                              ; preds = %560, %557, %315, %116
  %569 = phi i64 [ %304, %315 ], [ %558, %557 ], [ %108, %116 ], [ %562, %560 ]
  %570 = phi i64 [ %264, %315 ], [ %321, %557 ], [ %63, %116 ], [ %563, %560 ]
  %571 = phi i64 [ -1, %315 ], [ %529, %557 ], [ -1, %116 ], [ %567, %560 ]
  %572 = getelementptr inbounds i8, ptr %37, i64 %569
  %573 = load i8, ptr %572, align 1
  br label %55

574:                                              ; preds = %43, %557, %319, %303, %259, %256, %107, %62, %104, %289, %280, %273, %300, %270, %556, %555, %255, %49, %46, %24
  %575 = add i64 %25, 1
  %576 = load i64, ptr %8, align 8
  %577 = icmp slt i64 %575, %576
  br i1 %577, label %24, label %23
}

define internal fastcc i64 @end_of_string(ptr %0, i64 %1, i64 %2, ptr %3) {
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %6, label %79

6:                                                ; preds = %4
  %7 = add i64 %2, -1
  br label %8

8:                                                ; preds = %6, %75
  %9 = phi i64 [ %76, %75 ], [ %1, %6 ]
  %10 = sub i64 %2, %9
  %11 = icmp sgt i64 %10, 7
  br i1 %11, label %12, label %31

12:                                               ; preds = %8, %27
  %13 = phi i64 [ %28, %27 ], [ %9, %8 ]
  %14 = getelementptr inbounds i8, ptr %0, i64 %13
  %15 = load i64, ptr %14, align 1
  %16 = xor i64 %15, 2459565876494606882
  %17 = add i64 %16, -72340172838076673
  %18 = and i64 %15, -9187201950435737472
  %19 = xor i64 %18, -9187201950435737472
  %20 = xor i64 %15, 6655295901103053916
  %21 = add i64 %20, -72340172838076673
  %22 = or i64 %17, %21
  %23 = add i64 %15, -2314885530818453536
  %24 = or i64 %22, %23
  %25 = and i64 %19, %24
  %26 = icmp eq i64 %25, 0
  br i1 %26, label %27, label %31

27:                                               ; preds = %12
  %28 = add i64 %13, 8
  %29 = sub i64 %2, %28
  %30 = icmp sgt i64 %29, 7
  br i1 %30, label %12, label %31

31:                                               ; preds = %27, %12, %8
  %32 = phi i64 [ %9, %8 ], [ %13, %12 ], [ %28, %27 ]
  %33 = icmp slt i64 %32, %2
  br i1 %33, label %34, label %79

34:                                               ; preds = %31, %42
  %35 = phi i64 [ %36, %42 ], [ %32, %31 ]
  %36 = add i64 %35, 1
  %37 = getelementptr inbounds i8, ptr %0, i64 %35
  %38 = load i8, ptr %37, align 1
  %39 = freeze i8 %38
  %40 = icmp ugt i8 %39, 31
  br i1 %40, label %41, label %44

41:                                               ; preds = %34
  switch i8 %39, label %42 [
    i8 34, label %79
    i8 92, label %47
  ]

42:                                               ; preds = %41
  %43 = icmp eq i64 %36, %2
  br i1 %43, label %44, label %34

44:                                               ; preds = %34, %42
  %45 = phi i64 [ %35, %34 ], [ %7, %42 ]
  %46 = phi i64 [ %36, %34 ], [ %2, %42 ]
  switch i8 %39, label %79 [
    i8 34, label %78
    i8 92, label %47
  ]

47:                                               ; preds = %41, %44
  %48 = phi i64 [ %45, %44 ], [ %35, %41 ]
  %49 = phi i64 [ %46, %44 ], [ %36, %41 ]
  store i32 1, ptr %3, align 4
  %50 = icmp slt i64 %49, %2
  br i1 %50, label %51, label %79

51:                                               ; preds = %47
  %52 = add i64 %48, 2
  %53 = getelementptr inbounds i8, ptr %0, i64 %49
  %54 = load i8, ptr %53, align 1
  switch i8 %54, label %79 [
    i8 34, label %75
    i8 92, label %75
    i8 47, label %75
    i8 98, label %75
    i8 102, label %75
    i8 110, label %75
    i8 114, label %75
    i8 116, label %75
    i8 117, label %55
  ]

55:                                               ; preds = %51
  %56 = sub i64 %2, %52
  %57 = icmp slt i64 %56, 4
  br i1 %57, label %79, label %58

58:                                               ; preds = %55
  %59 = getelementptr i8, ptr %0, i64 %52
  br label %63

60:                                               ; preds = %63
  %61 = add i64 %64, 1
  %62 = icmp eq i64 %61, 4
  br i1 %62, label %73, label %63

63:                                               ; preds = %58, %60
  %64 = phi i64 [ 0, %58 ], [ %61, %60 ]
  %65 = getelementptr i8, ptr %59, i64 %64
  %66 = load i8, ptr %65, align 1
  %67 = add i8 %66, -58
  %68 = icmp ult i8 %67, -10
  %69 = and i8 %66, -33
  %70 = add i8 %69, -71
  %71 = icmp ult i8 %70, -6
  %72 = and i1 %68, %71
  br i1 %72, label %79, label %60

73:                                               ; preds = %60
  %74 = add i64 %48, 6
  br label %75

75:                                               ; preds = %51, %51, %51, %51, %51, %51, %51, %51, %73
  %76 = phi i64 [ %74, %73 ], [ %52, %51 ], [ %52, %51 ], [ %52, %51 ], [ %52, %51 ], [ %52, %51 ], [ %52, %51 ], [ %52, %51 ], [ %52, %51 ]
  %77 = icmp slt i64 %76, %2
  br i1 %77, label %8, label %79

78:                                               ; preds = %44
  br label %79

79:                                               ; preds = %41, %63, %31, %75, %55, %51, %47, %44, %78, %4
  %80 = phi i64 [ -1, %63 ], [ %46, %78 ], [ -1, %31 ], [ -1, %4 ], [ -1, %44 ], [ -1, %47 ], [ -1, %51 ], [ -1, %55 ], [ -1, %75 ], [ %36, %41 ]
  ret i64 %80
}

define internal fastcc i32 @is_named(ptr %0, ptr %1, i64 %2, i64 %3, i32 %4) {
  %6 = alloca [4 x i8], align 1
  %7 = alloca i64, align 8
  %8 = icmp eq i32 %4, 0
  br i1 %8, label %9, label %14

9:                                                ; preds = %5
  %10 = getelementptr inbounds i8, ptr %0, i64 8
  %11 = load i64, ptr %10, align 8
  %12 = sub i64 %3, %2
  %13 = icmp eq i64 %11, %12
  br i1 %13, label %14, label %78

14:                                               ; preds = %9, %5
  store i64 %2, ptr %7, align 8
  %15 = icmp slt i64 %2, %3
  %16 = getelementptr inbounds i8, ptr %0, i64 8
  br i1 %15, label %28, label %17

17:                                               ; preds = %14
  %18 = load i64, ptr %16, align 8
  br label %22

19:                                               ; preds = %70
  %20 = load i64, ptr %7, align 8
  %21 = icmp slt i64 %20, %3
  br i1 %21, label %28, label %22

22:                                               ; preds = %19, %17
  %23 = phi i64 [ %18, %17 ], [ %41, %19 ]
  %24 = phi i64 [ 0, %17 ], [ %49, %19 ]
  %25 = phi i32 [ 1, %17 ], [ %71, %19 ]
  %26 = icmp eq i64 %24, %23
  %27 = select i1 %26, i32 %25, i32 0
  br label %76

28:                                               ; preds = %14, %19
  %29 = phi i64 [ %20, %19 ], [ %2, %14 ]
  %30 = phi i32 [ %71, %19 ], [ 1, %14 ]
  %31 = phi i64 [ %49, %19 ], [ 0, %14 ]
  br i1 %8, label %34, label %32

32:                                               ; preds = %28
  %33 = call fastcc i32 @spelled(ptr %1, ptr %7, ptr %6)
  br label %38

34:                                               ; preds = %28
  %35 = add i64 %29, 1
  store i64 %35, ptr %7, align 8
  %36 = getelementptr inbounds i8, ptr %1, i64 %29
  %37 = load i8, ptr %36, align 1
  store i8 %37, ptr %6, align 1
  br label %38

38:                                               ; preds = %34, %32
  %39 = phi i32 [ %33, %32 ], [ 1, %34 ]
  %40 = zext i32 %39 to i64
  %41 = load i64, ptr %16, align 8
  %42 = sub i64 %41, %31
  %43 = icmp slt i64 %42, %40
  br i1 %43, label %50, label %44

44:                                               ; preds = %38
  %45 = load ptr, ptr %0, align 8
  %46 = add i64 %31, 1
  %47 = add i32 %39, -1
  %48 = zext i32 %47 to i64
  %49 = add i64 %46, %48
  br label %51

50:                                               ; preds = %38
  br label %76

51:                                               ; preds = %44, %70
  %52 = phi i64 [ 0, %44 ], [ %72, %70 ]
  %53 = phi i32 [ %30, %44 ], [ %71, %70 ]
  %54 = phi i64 [ %31, %44 ], [ %73, %70 ]
  %55 = getelementptr inbounds i8, ptr %45, i64 %54
  %56 = load i8, ptr %55, align 1
  %57 = getelementptr inbounds i8, ptr %6, i64 %52
  %58 = load i8, ptr %57, align 1
  %59 = icmp eq i8 %56, %58
  br i1 %59, label %70, label %60

60:                                               ; preds = %51
  %61 = add i8 %56, -65
  %62 = icmp ult i8 %61, 26
  %63 = or i8 %56, 32
  %64 = select i1 %62, i8 %63, i8 %56
  %65 = add i8 %58, -65
  %66 = icmp ult i8 %65, 26
  %67 = or i8 %58, 32
  %68 = select i1 %66, i8 %67, i8 %58
  %69 = icmp eq i8 %64, %68
  br i1 %69, label %70, label %75

70:                                               ; preds = %60, %51
  %71 = phi i32 [ %53, %51 ], [ 2, %60 ]
  %72 = add i64 %52, 1
  %73 = add i64 %54, 1
  %74 = icmp eq i64 %72, %40
  br i1 %74, label %19, label %51

75:                                               ; preds = %60
  br label %76

76:                                               ; preds = %75, %50, %22
  %77 = phi i32 [ %27, %22 ], [ 0, %75 ], [ 0, %50 ]
  br label %78

78:                                               ; preds = %9, %76
  %79 = phi i32 [ %77, %76 ], [ 0, %9 ]
  ret i32 %79
}

define internal fastcc i32 @spelled(ptr %0, ptr %1, ptr %2) {
  %4 = load i64, ptr %1, align 8
  %5 = add i64 %4, 1
  store i64 %5, ptr %1, align 8
  %6 = getelementptr inbounds i8, ptr %0, i64 %4
  %7 = load i8, ptr %6, align 1
  %8 = icmp eq i8 %7, 92
  br i1 %8, label %10, label %9

9:                                                ; preds = %3
  store i8 %7, ptr %2, align 1
  br label %121

10:                                               ; preds = %3
  %11 = add i64 %4, 2
  store i64 %11, ptr %1, align 8
  %12 = getelementptr inbounds i8, ptr %0, i64 %5
  %13 = load i8, ptr %12, align 1
  switch i8 %13, label %15 [
    i8 117, label %21
    i8 98, label %19
    i8 102, label %16
    i8 110, label %17
    i8 114, label %18
    i8 116, label %14
  ]

14:                                               ; preds = %10
  br label %19

15:                                               ; preds = %10
  br label %19

16:                                               ; preds = %10
  br label %19

17:                                               ; preds = %10
  br label %19

18:                                               ; preds = %10
  br label %19

19:                                               ; preds = %14, %10, %18, %17, %16, %15
  %20 = phi i8 [ 8, %10 ], [ 10, %17 ], [ 12, %16 ], [ %13, %15 ], [ 13, %18 ], [ 9, %14 ]
  store i8 %20, ptr %2, align 1
  br label %121

21:                                               ; preds = %10
  %22 = getelementptr inbounds i8, ptr %0, i64 %11
  br label %23

23:                                               ; preds = %23, %21
  %24 = phi i64 [ 0, %21 ], [ %36, %23 ]
  %25 = phi i32 [ 0, %21 ], [ %35, %23 ]
  %26 = shl i32 %25, 4
  %27 = getelementptr inbounds i8, ptr %22, i64 %24
  %28 = load i8, ptr %27, align 1
  %29 = zext i8 %28 to i32
  %30 = icmp ult i8 %28, 58
  %31 = add i32 %29, -48
  %32 = or i32 %29, 32
  %33 = add i32 %32, -87
  %34 = select i1 %30, i32 %31, i32 %33
  %35 = add i32 %34, %26
  %36 = add i64 %24, 1
  %37 = icmp eq i64 %36, 4
  br i1 %37, label %38, label %23

38:                                               ; preds = %23
  %39 = add i64 %4, 6
  store i64 %39, ptr %1, align 8
  %40 = icmp ult i32 %35, 128
  br i1 %40, label %41, label %43

41:                                               ; preds = %38
  %42 = trunc i32 %35 to i8
  store i8 %42, ptr %2, align 1
  br label %121

43:                                               ; preds = %38
  %44 = icmp ult i32 %35, 2048
  br i1 %44, label %45, label %53

45:                                               ; preds = %43
  %46 = lshr i32 %35, 6
  %47 = trunc i32 %46 to i8
  %48 = or i8 %47, -64
  store i8 %48, ptr %2, align 1
  %49 = trunc i32 %35 to i8
  %50 = and i8 %49, 63
  %51 = or i8 %50, -128
  %52 = getelementptr inbounds i8, ptr %2, i64 1
  store i8 %51, ptr %52, align 1
  br label %121

53:                                               ; preds = %43
  %54 = and i32 %35, -1024
  %55 = icmp eq i32 %54, 55296
  br i1 %55, label %56, label %108

56:                                               ; preds = %53
  %57 = getelementptr inbounds i8, ptr %0, i64 %39
  %58 = load i8, ptr %57, align 1
  %59 = icmp eq i8 %58, 92
  br i1 %59, label %60, label %108

60:                                               ; preds = %56
  %61 = getelementptr i8, ptr %22, i64 5
  %62 = load i8, ptr %61, align 1
  %63 = icmp eq i8 %62, 117
  br i1 %63, label %64, label %108

64:                                               ; preds = %60
  %65 = getelementptr inbounds i8, ptr %57, i64 2
  br label %66

66:                                               ; preds = %66, %64
  %67 = phi i64 [ 0, %64 ], [ %79, %66 ]
  %68 = phi i32 [ 0, %64 ], [ %78, %66 ]
  %69 = shl i32 %68, 4
  %70 = getelementptr inbounds i8, ptr %65, i64 %67
  %71 = load i8, ptr %70, align 1
  %72 = zext i8 %71 to i32
  %73 = icmp ult i8 %71, 58
  %74 = add i32 %72, -48
  %75 = or i32 %72, 32
  %76 = add i32 %75, -87
  %77 = select i1 %73, i32 %74, i32 %76
  %78 = add i32 %77, %69
  %79 = add i64 %67, 1
  %80 = icmp eq i64 %79, 4
  br i1 %80, label %81, label %66

81:                                               ; preds = %66
  %82 = and i32 %78, -1024
  %83 = icmp eq i32 %82, 56320
  br i1 %83, label %84, label %108

84:                                               ; preds = %81
  %85 = add i64 %4, 12
  store i64 %85, ptr %1, align 8
  %86 = shl i32 %35, 10
  %87 = and i32 %86, 1047552
  %88 = and i32 %78, 1023
  %89 = or i32 %88, %87
  %90 = add i32 %89, 65536
  %91 = lshr i32 %90, 18
  %92 = trunc i32 %91 to i8
  %93 = or i8 %92, -16
  store i8 %93, ptr %2, align 1
  %94 = lshr i32 %90, 12
  %95 = trunc i32 %94 to i8
  %96 = and i8 %95, 63
  %97 = or i8 %96, -128
  %98 = getelementptr inbounds i8, ptr %2, i64 1
  store i8 %97, ptr %98, align 1
  %99 = lshr i32 %89, 6
  %100 = trunc i32 %99 to i8
  %101 = and i8 %100, 63
  %102 = or i8 %101, -128
  %103 = getelementptr inbounds i8, ptr %2, i64 2
  store i8 %102, ptr %103, align 1
  %104 = trunc i32 %78 to i8
  %105 = and i8 %104, 63
  %106 = or i8 %105, -128
  %107 = getelementptr inbounds i8, ptr %2, i64 3
  store i8 %106, ptr %107, align 1
  br label %121

108:                                              ; preds = %81, %60, %56, %53
  %109 = lshr i32 %35, 12
  %110 = trunc i32 %109 to i8
  %111 = or i8 %110, -32
  store i8 %111, ptr %2, align 1
  %112 = lshr i32 %35, 6
  %113 = trunc i32 %112 to i8
  %114 = and i8 %113, 63
  %115 = or i8 %114, -128
  %116 = getelementptr inbounds i8, ptr %2, i64 1
  store i8 %115, ptr %116, align 1
  %117 = trunc i32 %35 to i8
  %118 = and i8 %117, 63
  %119 = or i8 %118, -128
  %120 = getelementptr inbounds i8, ptr %2, i64 2
  store i8 %119, ptr %120, align 1
  br label %121

121:                                              ; preds = %84, %41, %45, %108, %19, %9
  %122 = phi i32 [ 1, %9 ], [ 1, %19 ], [ 1, %41 ], [ 2, %45 ], [ 3, %108 ], [ 4, %84 ]
  ret i32 %122
}
